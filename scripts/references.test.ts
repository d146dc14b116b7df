import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

test.each(globSync('{*.md,{bench,docs}/**/*.md}', { cwd: root }))(
  'every relative link in %s leads to a file',
  (document) => {
    const text = readFileSync(join(root, document), 'utf8')
    const found = [...text.matchAll(/\]\((?!https?:|#)(?<path>[^)#\s]+)/g)]
    const links = found.map(({ groups }) => groups?.path ?? '')
    expect(links.filter((link) => !existsSync(join(root, dirname(document), link)))).toEqual([])
  },
)

test('An exported name of the page has one meaning: no two modules outside the engine export the same one', () => {
  const files = globSync('web/**/*.{ts,tsx}').filter(
    (file) => !/\.test\.|\/testing\/|^web\/(engine|state|api)\//.test(file),
  )
  const exported = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .matchAll(/^export (?:async )?(?:const|function\*?|type|class) (\w+)/gm)
      .map(([, name]) => ({ file, name }))
      .toArray(),
  )
  const byName = [...Map.groupBy(exported, ({ name }) => name)]
  // A value and its type may share a name in one module.
  const repeated = byName.filter(([, places]) => new Set(places.map(({ file }) => file)).size > 1)
  expect(exported.length).toBeGreaterThan(500)
  expect(repeated.map(([name, places]) => [name, ...places.map(({ file }) => file)])).toEqual([])
})
