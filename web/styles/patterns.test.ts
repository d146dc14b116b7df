import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const web = new URL('..', import.meta.url).pathname
const read = (pattern: string) =>
  globSync(pattern, { cwd: web, exclude: ['**/*.test.*'] }).map((path) =>
    readFileSync(`${web}/${path}`, 'utf8'),
  )
const code = read('**/*.{ts,tsx}').join('\n')

/** The rules of a style sheet, without those that are nested in a rule: a selector and its declarations. */
function rulesOf(sheet: string): { selector: string; declarations: string[] }[] {
  const plain = sheet
    .split('/*')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf('*/') + 2)))
    .join('')
  return plain.split('}').flatMap((part) => {
    const [selector, body] = part.split('{').slice(-2)
    if (selector === undefined || body === undefined) return []
    const declarations = body.split(';').map((declaration) => declaration.trim())
    return [{ selector: selector.trim(), declarations: declarations.filter(Boolean) }]
  })
}

const components = read('**/*.css').filter((sheet) => !sheet.includes('@layer patterns'))
const patterns = read('styles/patterns.css')
  .flatMap(rulesOf)
  .filter(({ selector, declarations }) => /^\.[\w-]+$/.test(selector) && declarations.length > 2)

test('No component says again all of a pattern, or four of its declarations', () => {
  // No pattern reaches the shadow root of the editor.
  const reached = components.filter((sheet) => !sheet.includes('.cm-editor'))
  const repeated = reached.flatMap(rulesOf).filter(({ selector, declarations }) => {
    // An element that is also a field has a layout already, which a pattern cannot replace.
    if (selector === '.day-choice-other') return false
    return patterns.some((pattern) => {
      const again = pattern.declarations.filter((each) => declarations.includes(each)).length
      return again > 3 || (again === pattern.declarations.length && /^\.[\w-]+$/.test(selector))
    })
  })
  expect(patterns.length).toBeGreaterThan(4)
  expect(repeated).toEqual([])
})

test('Each class that a style sheet names is that of an element', () => {
  const named = new Set(
    [...components, ...read('styles/patterns.css')]
      .flatMap(rulesOf)
      .flatMap(({ selector }) => [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name)),
  )
  // Those of the two libraries are in their code.
  const own = [...named].filter((name) => !name.startsWith('cm-') && !name.startsWith('Toastify'))
  const words = new Set(code.split(/[^\w-]+/))
  expect(own.filter((name) => !words.has(name))).toEqual([])
})
