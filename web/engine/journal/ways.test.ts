import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Entry, entryIn } from '../entry.ts'

const sourcesIn = (folder: string) =>
  globSync(`${folder}/**/*.{ts,tsx}`)
    .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))

test('All changes of tasks and notes leave the page through one file', () => {
  const write = /'(POST|PUT|PATCH|DELETE) \/(changes|list|items|tasks|notes)\b/
  const writing = sourcesIn('web').filter(({ text }) => /\bcall\(\s*'/.test(text) && write.test(text))
  expect(writing.map(({ file }) => file)).toEqual(['web/engine/journal/ways.ts'])
})

test('No file of the engine shows a toast, an alert or a card', () => {
  const showing = sourcesIn('web/engine').filter(({ text }) => /Toast\b|alert\(|querySelector/.test(text))
  expect(showing.map(({ file }) => file)).toEqual([])
})

test('An entry that an earlier build has kept is taken as sent or rejected, as that build has seen it', () => {
  const kept = { mutation: 'm', item: 'a', set: {}, order: 1, at: 0, was: {} }
  const failure = { status: 400, reason: '' }
  const read = (own: Partial<Entry> & { isSent?: boolean }) => entryIn({ ...kept, ...own })
  expect(read({})).toMatchObject({ ...kept, status: 'new' })
  expect(read({ isSent: true })).toMatchObject({ ...kept, status: 'sent' })
  expect(read({ isSent: true, failure })).toMatchObject({ ...kept, failure, status: 'failed' })
  // A saved file is loaded without the failures.
  expect(read({ status: 'failed' })).toMatchObject({ ...kept, status: 'sent' })
})
