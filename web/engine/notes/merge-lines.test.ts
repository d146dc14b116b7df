import fc from 'fast-check'
import { expect, test } from 'vitest'
import { choiceAt, mergeLines, unmarked } from './merge-lines.ts'

/** A list of which some lines are other ones. */
const list = (milk = 'milk', bread = 'bread', more = '') => `shopping\n${milk}\n${bread}\neggs${more}`
const base = list()

test('Changes of different lines are both in the merged text, also of neighbouring ones', () => {
  expect(mergeLines(base, list('oat milk'), list('milk', 'bread', '\nbutter'))).toBe(
    list('oat milk', 'bread', '\nbutter'),
  )
  expect(mergeLines(base, list('MILK'), list('milk', 'BREAD'))).toBe(list('MILK', 'BREAD'))
})

test('Changes of different words of a line are both in it', () => {
  expect(mergeLines(base, list('oat milk'), list('milk, 2 l'))).toBe(list('oat milk, 2 l'))
  expect(mergeLines('- [ ] call Ann', '- [x] call Ann', '- [ ] call Ann\nand Bob')).toBe(
    '- [x] call Ann\nand Bob',
  )
  expect(mergeLines('a b', 'a b c', 'a b c')).toBe('a b c')
  expect(mergeLines('今日は雨です', '明日は雨です', '今日は晴れです')).toBe('明日は晴れです')
})

test('Where both changed the same words, both versions of the line are kept and marked, mine first, also with Windows line breaks', () => {
  const marked = list('cream *(or the next line)*\nbutter *(or the line before)*')
  const windows = (text: string) => text.replaceAll('\n', '\r\n')
  expect(mergeLines(base, list('cream'), list('butter'))).toBe(marked)
  const versions = [base, list('cream'), list('butter')].map(windows) as [string, string, string]
  expect(mergeLines(...versions)).toBe(windows(marked))
  expect(unmarked('cream *(or the next line)*\r')).toBe('cream\r')
})

test('A version of a line that is edited on stays marked once, and a third one is beside them', () => {
  const both = mergeLines('at 3', 'at 4', 'at 5')
  expect(mergeLines('at 5', 'at 5 pm', both)).toBe(
    'at 4 *(or the next line)*\nat 5 pm *(or the line before)*',
  )
  const three = mergeLines(both, both.replace('at 4', 'at 6'), both.replace('at 4', 'at 7'))
  expect(three.split('\n')).toEqual([
    'at 6 *(or the next line)*',
    'at 7 *(or the next line)*',
    'at 5 *(or the line before)*',
  ])
})

test('A chosen version replaces all versions of its line, and no line around them', () => {
  const lines = ['other', ...mergeLines('at 3', 'at 4', 'at 5').split('\n'), 'at 6']
  const choice = (index: number) => choiceAt(index, (at) => lines[at])
  expect(choice(1)).toEqual({ first: 1, last: 2, line: 'at 4' })
  expect(choice(2)).toEqual({ first: 1, last: 2, line: 'at 5' })
  lines.splice(1, 1)
  expect(choice(1)).toEqual({ first: 1, last: 1, line: 'at 5' })
})

test('Lines that both added at the same place are both kept, and the same line only once', () => {
  expect(mergeLines('a', 'a\nb\nc', 'a\nb\nd')).toBe('a\nb\nc\nd')
  expect(mergeLines('a', 'a\nb', 'a\nb')).toBe('a\nb')
  // Also before a line that one of them completes.
  expect(mergeLines('mi', 'bread\nmi', 'bread\nmilk')).toBe('bread\nmilk')
})

test('A line that one side changed and the other deleted is kept as it was changed', () => {
  expect(mergeLines(base, 'shopping\nbread\neggs', list('oat milk'))).toBe(list('oat milk'))
})

test('Lines that one side inserts next to a line that the other side completes stay there, and the early form does not', () => {
  const [complete, around] = ['shopping\nmilk\neggs', 'shopping\nbread\nmi\nbutter\neggs']
  for (const [mine, theirs] of [[complete, around] as const, [around, complete] as const])
    expect(mergeLines('shopping\nmi\neggs', mine, theirs)).toBe('shopping\nbread\nmilk\nbutter\neggs')
})

test('A side that changed nothing adds nothing', () => {
  expect([mergeLines(base, base, 'other'), mergeLines(base, 'other', base)]).toEqual(['other', 'other'])
})

const word = fc.constantFrom('', 'a', 'b', 'c', 'd')
const lines = fc.array(word, { maxLength: 15 })

/** An edit of the lines: some removed, some inserted that are marked with the side that wrote them. */
const editOf = (side: string) =>
  fc
    .array(fc.record({ at: fc.nat(15), remove: fc.nat(3), insert: fc.array(word, { maxLength: 3 }) }), {
      maxLength: 4,
    })
    .map((edits) => (before: string[]) => {
      const after = [...before]
      for (const { at, remove, insert } of edits)
        after.splice(at, remove, ...insert.map((text, index) => `${side}${text}${index}`))
      return after
    })

const countsOf = (lines: string[]) => Map.groupBy(lines.map(unmarked), (line) => line)

test('No line that either side wrote is lost, whatever the two sides change', () => {
  fc.assert(
    fc.property(lines, editOf('mine '), editOf('theirs '), (before, editMine, editTheirs) => {
      const [mine, theirs] = [editMine(before), editTheirs(before)]
      const merged = countsOf(mergeLines(before.join('\n'), mine.join('\n'), theirs.join('\n')).split('\n'))
      for (const [side, written] of Object.entries({ mine, theirs }))
        for (const [line, copies] of countsOf(written.filter((text) => text.startsWith(side))))
          expect(merged.get(line)?.length ?? 0).toBeGreaterThanOrEqual(copies.length)
    }),
    { numRuns: 5000 },
  )
})

test('No line of either side is lost where the texts differ too much for a smallest difference', () => {
  const many = (prefix: string) => Array.from({ length: 3000 }, (_, line) => `${prefix}${line}`)
  const [mine, theirs] = [many('mine'), many('theirs')]
  const merged = new Set(
    mergeLines(many('base').join('\n'), mine.join('\n'), theirs.join('\n')).split('\n').map(unmarked),
  )
  for (const line of [...mine, ...theirs]) expect(merged.has(line)).toBe(true)
})

/** A side inserts lines and appends to lines that begin with its name. */
const typingOf = (side: string) =>
  fc
    .array(fc.record({ at: fc.nat(20), appends: fc.boolean() }), { maxLength: 5 })
    .map((steps) => (before: string[]) => {
      const after = [...before]
      for (const [number, { at, appends }] of steps.entries()) {
        const own = [...after.keys()].filter((index) => after[index]?.startsWith(side))
        const index = own[at % own.length]
        if (appends && index !== undefined) after[index] += ` word ${number}`
        else after.splice(at, 0, `${side} inserted ${number}`)
      }
      return after
    })

const begun = fc
  .array(fc.constantFrom('mine', 'theirs', 'old', ''), { maxLength: 5 })
  .map((names) => names.map((name, index) => name && `${name} ${index}`))

test('While each side continues its own lines and inserts others anywhere, each line is kept in its last form, only once, and in the order of its side', () => {
  fc.assert(
    fc.property(begun, typingOf('mine'), typingOf('theirs'), (before, typeMine, typeTheirs) => {
      const [mine, theirs] = [typeMine(before), typeTheirs(before)]
      const merge = (one: string[], other: string[]) =>
        mergeLines(before.join('\n'), one.join('\n'), other.join('\n')).split('\n')
      for (const merged of [merge(mine, theirs), merge(theirs, mine)]) {
        const from = (lines: string[], side: string) => lines.filter((line) => line.startsWith(side))
        expect(from(merged, 'mine')).toEqual(from(mine, 'mine'))
        expect(from(merged, 'theirs')).toEqual(from(theirs, 'theirs'))
        expect(from(merged, 'old')).toEqual(from(before, 'old'))
      }
    }),
    { numRuns: process.env.TORTURE ? 100_000 : 1000 },
  )
})
