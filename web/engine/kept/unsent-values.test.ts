import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Entry, type Item, randomId, withChange } from '../entry.ts'
import { summaryWith } from '../store/testing/note-with.ts'
import { taskWith } from '../store/testing/task-with.ts'
import { isUnsentValue } from './unsent-values.ts'

const [mutation, item] = [randomId(), randomId()]
const addition = {
  ...{ mutation, item, order: 1, at: 1_795_000_000_000 },
  set: { title: 'Ferry', body: '', dueDate: '2026-11-25', priority: 'high' },
  typed: { text: 'Ferry today !high', dismissed: ['tomorrow'] },
}
const edit = {
  ...{ mutation, item, order: 1.5, at: 0, group: randomId(), title: 'Ferry', base: 3, isSent: true },
  set: { title: 'Boat', done: true },
  ...{ verb: 'edit', to: '2026-11-25' },
  was: { title: 'Ferry', doneAt: null },
  failure: { status: 409, reason: 'It was changed elsewhere.' },
}
const tick = { mutation, item, order: 1, at: 0, was: {}, check: { line: 0, text: 'milk', checked: true } }
const undo = {
  ...{ mutation, item, order: 1, at: 0, was: {}, undo: { seq: 7, isGroup: false } },
  shows: {
    [item]: { title: 'Ferry', dueDate: '2026-11-24', deletedAt: null, doneAt: '2026-11-24T08:00:00Z' },
  },
}
const pin = { mutation, item, kind: 'note', order: 1, at: 0, was: { pinned: false }, set: { pinned: true } }
const answered = {
  ...edit,
  answer: [{ kind: 'task', outcome: 'applied', seq: 4, item: taskWith({ _id: item }) }],
}
const noteDraft = { id: item, text: 'Ferry', stored: { text: '', version: 0 }, since: 5 }
const sentDraft = { ...noteDraft, sent: { text: 'Ferr', version: 2, mutation } }
const formDraft = { values: { title: 'Ferry', dueDate: '' }, at: 5, base: taskWith({}), isWanted: true }

const entries = [addition, edit, tick, undo, pin, answered]
const drafts = [noteDraft, sentDraft]

test('Everything that the page itself keeps can be read', () => {
  for (const entry of entries) expect([entry, isUnsentValue('outbox', entry)]).toEqual([entry, true])
  for (const draft of drafts) expect([draft, isUnsentValue('note-draft', draft)]).toEqual([draft, true])
  expect(isUnsentValue('draft', formDraft)).toBe(true)
})

test('What an earlier build has kept can be read without the fields that only the server sets, which may be later ones', () => {
  const { series: _, placeInFile: __, ...earlier } = taskWith({ _id: item })
  const entry = { ...edit, shows: { [item]: earlier }, answer: [{ ...answered.answer[0], item: earlier }] }
  expect(isUnsentValue('outbox', entry)).toBe(true)
  expect(isUnsentValue('draft', { ...formDraft, base: earlier })).toBe(true)
})

test('Text that the server will reject can be read, so that it can be edited', () => {
  for (const title of ['', 'x'.repeat(10_000), '\0'])
    expect(isUnsentValue('outbox', { ...addition, set: { ...addition.set, title } })).toBe(true)
})

/** The JSON value with another value somewhere in it. */
function replaced(value: unknown, path: readonly number[], other: unknown): unknown {
  const [step, ...rest] = path
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : []
  const name = names[(step ?? 0) % names.length]
  if (step === undefined || name === undefined) return other
  const held = value as Record<string, unknown>
  const changed = { ...held, [name]: replaced(held[name], rest, other) }
  return Array.isArray(value) ? Object.values(changed) : changed
}

const anyJson = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>('zzz', '2026-02-30', '', 'urgent', null, 0, -1, 1.5, 1e300, true, [], {}, [1]),
  fc.constantFrom<unknown>({ _id: 'x' }, { title: 5 }, { version: 9 }, { dueDate: 'zzz' }, { pinned: true }),
)
const mutated = (values: unknown[]) =>
  fc
    .tuple(fc.constantFrom(...values), fc.array(fc.nat(9), { maxLength: 5 }), anyJson)
    .map(([value, path, other]) => replaced(value, path, other))

const note = summaryWith({ _id: item, title: 'Harbour' })

/** What the page does with an item that it shows. */
function show(shown: Item) {
  new Date(shown.createdAt).toISOString()
  if (shown.deletedAt !== null) new Date(shown.deletedAt).toISOString()
  if (!('dueDate' in shown))
    return expect([typeof shown.pinned, typeof shown.title]).toEqual(['boolean', 'string'])
  const { dueDate, dueTime } = shown
  if (dueDate !== null) expect(String(Temporal.PlainDate.from(dueDate))).toBe(dueDate)
  if (dueTime !== null) expect(String(Temporal.PlainTime.from(dueTime))).toBe(`${dueTime}:00`)
  if (shown.doneAt !== null) new Date(shown.doneAt).toISOString()
  expect([typeof shown.title, typeof shown.body]).toEqual(['string', 'string'])
  expect(['high', 'medium', 'low']).toContain(shown.priority)
  expect([shown._id, typeof shown.version]).toEqual([item, 'number'])
}

test('Whatever is stored or in a file, a change that is taken in leaves each item one that the page can show', () => {
  fc.assert(
    fc.property(fc.oneof(mutated(entries), fc.jsonValue()), (value) => {
      const read = JSON.parse(JSON.stringify(value))
      if (!isUnsentValue('outbox', read)) return
      const { failure, ...entry } = read as Entry
      new Date(entry.at).toISOString()
      for (const before of [undefined, taskWith({ _id: item }), note as Item]) {
        const shown = withChange(before, { ...entry, item })
        if (shown) show(shown)
      }
    }),
    { numRuns: 5000 },
  )
})

test('Whatever is stored or in a file, a text that is taken in has all that its editor needs', () => {
  fc.assert(
    fc.property(mutated(drafts), (value) => {
      if (!isUnsentValue('note-draft', value)) return
      const { id, text, stored, sent } = value as typeof sentDraft
      for (const part of [id, text, stored.text, sent?.text ?? '']) expect(part).toBeTypeOf('string')
      for (const version of [stored.version, sent?.version ?? 0]) expect(version).toBeGreaterThanOrEqual(0)
    }),
  )
  fc.assert(
    fc.property(mutated([formDraft]), (value) => {
      if (!isUnsentValue('draft', value)) return
      const { values, base } = value as typeof formDraft
      for (const each of Object.values(values)) if (each !== null) expect(each).toBeTypeOf('string')
      if (base) show({ ...base, _id: item })
    }),
  )
})
