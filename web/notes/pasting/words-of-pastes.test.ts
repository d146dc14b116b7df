import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { parseSlowly } from '../markdown/parse-slowly.ts'
import { Reading } from '../markdown/reading.tsx'
import { markdownOfNodes } from './markdown-of-html.ts'
import { parsedDocument } from './parsed-document.ts'

const convert = async (html: string, plain = '') =>
  (await markdownOfNodes(parsedDocument(html), { plain }))?.markdown

/** The reading view of a note below its title. */
async function read(markdown: string): Promise<string> {
  const text = `Title\n\n${markdown}`
  const tree = await parseSlowly(text)
  if (!tree) throw new Error('The parse was aborted.')
  const context = { text, itemOf: () => undefined, onOpen() {} }
  return renderToStaticMarkup(createElement(Reading, { tree, context })).split('</h2>').slice(1).join('</h2>')
}

/** What a person reads in HTML; elements of a line are not between words. */
const textIn = (html: string) =>
  html
    .replace(/<\/?(?:a|strong|em|del|code|span|label|button)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, '\n')
    .replace(/&(lt|gt|amp|quot|#x27);/g, (_entity, name) => entities[name] ?? '')
const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" }

const wordsOf = (text: string): string[] => text.toUpperCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

function expectWords(text: string, shownText: string) {
  const shown = wordsOf(shownText)
  for (const word of wordsOf(text)) {
    const place = shown.indexOf(word)
    expect(place, `${word} in ${shownText}`).toBeGreaterThanOrEqual(0)
    shown.splice(place, 1)
  }
}

const samples = globSync(join(import.meta.dirname, 'samples/*.html')).sort()

for (const file of samples)
  test(`Text copied from ${basename(file, '.html')} keeps its words, formats, lists and tables`, async () => {
    const [html = '', plain = '', markdown = ''] = ['html', 'txt', 'md'].map((type) =>
      readFileSync(file.replace(/html$/, type), 'utf8'),
    )
    expect(await convert(html, plain)).toBe(markdown.trimEnd())
    const reading = await read(markdown)
    // The plain text has the marks of lists, and some programs write addresses into it.
    const withoutMarks = plain.replace(/^\s*(?:[-·o]|\d+\.)\s+(?:\[[ x]\])?/gm, '')
    expectWords(withoutMarks, `${textIn(reading)} ${reading}`)
  })

const words = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', ' ', ...'a Bé c1 漢 7 https://e.org/a_b www.e.org x@e.org #tag 😀'.split(' ')),
      fc.constantFrom(...'*_`~[]()<>#+-.!|\\&:"=1'.split('')),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

const escaped = (text: string) => text.replace(/[<&]/g, (unit) => (unit === '<' ? '&lt;' : '&amp;'))
const element = (name: string, content: string) => {
  const href = name === 'a' ? ' href="https://e.org/x_(y)_z"' : ''
  return `<${name}${href}>${content}</${name}>`
}

/** HTML and the text that a page would show of it, up to spaces. */
const { body } = fc.letrec<{ phrase: string; block: string; body: string }>((tie) => ({
  phrase: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    words.map(escaped),
    fc
      .tuple(
        fc.constantFrom('b', 'i', 's', 'a', 'code', 'span', 'font', 'o:p', 'label', 'output'),
        tie('phrase'),
      )
      .map(([name, content]) => element(name, content)),
    fc.array(tie('phrase'), { maxLength: 4 }).map((phrases) => phrases.join('')),
    fc
      .tuple(fc.constantFrom('font-weight:700', 'font-weight:normal', 'font-style:italic'), tie('phrase'))
      .map(([style, content]) => `<span style="${style}">${content}</span>`),
    tie('phrase').map((phrase) => `${phrase}<br>`),
    tie('phrase').map((phrase) => ` <input type="checkbox"> ${phrase}`),
  ),
  block: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('phrase'),
    fc
      .tuple(fc.constantFrom('p', 'div', 'h2', 'center', 'blockquote', 'fieldset', 'pre', 'b'), tie('phrase'))
      .map(([name, content]) => element(name, content)),
    fc
      .tuple(fc.constantFrom('ul', 'ol'), fc.array(tie('body'), { maxLength: 3 }))
      .map(([name, items]) => element(name, items.map((item) => element('li', item)).join(''))),
    fc.tuple(tie('body'), tie('body')).map(([a, b]) => `<ul><li>${a}</li><ul><li>${b}</li></ul></ul>`),
    fc
      .array(fc.tuple(tie('phrase'), tie('phrase')), { minLength: 1, maxLength: 3 })
      .map((rows) =>
        element(
          'table',
          rows.map((cells) => element('tr', cells.map((cell) => element('td', cell)).join(''))).join(''),
        ),
      ),
  ),
  body: fc.array(tie('block'), { maxLength: 3 }).map((blocks) => blocks.join('')),
}))

const shownIn = (node: Node): string => {
  if (node.nodeType === 3) return node.nodeValue ?? ''
  const content = [...node.childNodes].map(shownIn).join('')
  return /^(?:b|i|s|a|code|span|font|o:p|label|output|input)$/.test(node.nodeName)
    ? content
    : `\n${content}\n`
}

/** Lines of an outer list and a table between the items of inner lists. */
const itemsAroundOthers = [
  '<ul><li></li><li><ul><li></li><ul><li>7</li></ul></ul><table><tr><td></td><td>a</td></tr></table></li>',
  '<li><ol><li></li><li>*</li><li><ul><li></li><ul><li></li></ul></ul>*',
  '<ol><li><ul><li><b>漢</b><i><b>c1</b></i></li></ul></li></ol></li></ol></li></ul>',
].join('')

test('The reading view of any pasted HTML holds its words', async () => {
  await fc.assert(
    fc.asyncProperty(body, async (html) => {
      const whole = `<h1>Head</h1>${html}`
      const plain = shownIn(parsedDocument(whole))
      const markdown = (await convert(whole, plain)) ?? 'The plain text was pasted.'
      expectWords(plain, textIn(await read(markdown)))
    }),
    { numRuns: 1000, examples: [[itemsAroundOthers]] },
  )
})

test('Any words in a paragraph are shown as they are, with all their marks', async () => {
  await fc.assert(
    fc.asyncProperty(words, words, words, async (before, inside, after) => {
      const html = `<p>${escaped(before)}<b>${escaped(inside)}</b>${escaped(after)} <i>k</i></p>`
      const markdown = await convert(html)
      const shown = textIn(await read(markdown ?? '')).replace(/\s+/g, '')
      expect(shown, markdown).toBe(`${before}${inside}${after}k`.replace(/\s+/g, ''))
    }),
    { numRuns: 1000 },
  )
})
