import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBlank } from '#contract/blank.ts'
import { summaryOf } from '#contract/note-summary.ts'
import { onEveryServer, userForAll } from './testing/test-server.ts'

const codes = [
  ...[0x09, 0x0a, 0x20, 0x85, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x1680, 0x17b4, 0x180b, 0x180e],
  ...[0x2003, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x202e, 0x2060, 0x2064, 0x2066, 0x206f],
  ...[0x2800, 0x3000, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0x1bca0, 0x1d159, 0x1d173, 0xe0001, 0xe0101],
]
const invisible = codes.map((code) => String.fromCodePoint(code))
const blankTexts = fc.oneof(
  fc.constantFrom(...invisible),
  fc.string({ unit: fc.constantFrom(...invisible), minLength: 1, maxLength: 20 }),
)

test.each(['a', '.', '語', '👩‍👩‍👧', 'ـ', '\u0301', '​x​', '#', '\u{1F3F4}\u{E0067}\u{E007F}'])(
  '%s is not blank',
  (text) => {
    expect(isBlank(text)).toBe(false)
  },
)

test('The first line that shows something is the title of a note', () => {
  const property = fc.property(blankTexts, blankTexts, (before, after) => {
    expect(summaryOf(`${before}\n# Trip\n${after}`)).toEqual({ title: 'Trip', snippet: '' })
    expect(summaryOf(before)).toEqual({ title: '', snippet: '' })
  })
  fc.assert(property)
})

onEveryServer('a text of characters that show nothing', ({ server }) => {
  const user = userForAll(server)

  test('is no title of a task and no name of a user, in any call', async () => {
    const { _id } = await user.addTask()
    const before = await user.changes()
    const property = fc.asyncProperty(blankTexts, async (title) => {
      const body = { title, dueDate: '2026-11-21', priority: 'low' }
      const { password } = user
      const answers = [
        await user.call('POST /list/addTask', { body }),
        await user.editTask(_id, body),
        await user.send({ item: _id, set: { title } }),
        await user.call('POST /user/register', { body: { name: title, email: 'new@example.org', password } }),
      ]
      expect(answers.map(({ status, json }) => [status, json.errors?.map(({ code }) => code)])).toEqual(
        answers.map(() => [400, ['blank']]),
      )
    })
    await fc.assert(property, { numRuns: 60 })
    expect(await user.changes()).toEqual(before)
  })
})
