import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Entry, entryIn } from '../entry.ts'

test('All changes of tasks and notes leave the page through one file', () => {
  const write = /'(POST|PUT|PATCH|DELETE) \/(changes|list|items|tasks|notes)\b/
  const files = globSync('web/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
  const writing = files.filter(
    (file) => /\bcall\(\s*'/.test(readFileSync(file, 'utf8')) && write.test(readFileSync(file, 'utf8')),
  )
  expect(writing).toEqual(['web/engine/journal/ways.ts'])
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
