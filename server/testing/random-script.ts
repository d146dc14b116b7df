import fc from 'fast-check'
import { newId } from '../new-id.ts'
import { itemsIn } from './items-in.ts'
import type { TestUser } from './test-server.ts'

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom('# Plan\n\nmore', '../..', 'é\u202e', '"\n\\'),
)
const title = text.map((words) => `T ${words.replaceAll('\n', ' ')}`)
const dates = fc.constantFrom(
  { dueDate: null },
  { dueDate: '2026-11-21' },
  { dueDate: '2026-11-21', dueTime: '08:30' },
  { dueDate: '2026-11-20', repeat: 'FREQ=WEEKLY;BYDAY=FR', repeatFrom: 'done' },
  { dueDate: '2199-11-20', dueTime: '08:30', repeat: 'FREQ=DAILY;INTERVAL=3;COUNT=9', reminders: '10m' },
)
const priority = fc.constantFrom('high', 'medium', 'low')
const which = fc.nat(40)
const newOf = (kind: string) => ({ kind: fc.constant(kind), base: fc.constant(0) })

const states = [{ deleted: true }, { deleted: false }, { pinned: true }, { done: true }] as const

/** A step of a script: a new item, or a change of one of those that there are. */
const step = fc.oneof(
  fc.record({ ...newOf('task'), set: fc.record({ title, body: text, priority, dates }) }),
  fc.record({ ...newOf('note'), set: fc.record({ text }) }),
  fc.record({ which, set: fc.record({ text }) }),
  fc.record({ which, set: fc.constantFrom(...states, { dueDate: '2026-11-25' }) }),
  fc.record({ which, set: fc.record({ title, body: text }) }),
)

/** Random changes of an account. */
export const scripts = fc.array(step, { minLength: 10, maxLength: 30, size: 'max' })
type Script = typeof scripts extends fc.Arbitrary<infer Value> ? Value : never

/** Runs a script, of which some changes are refused. */
export async function runScript(user: TestUser, steps: Script) {
  const items: { kind: string; item: string; version: number }[] = []
  for (const each of steps) {
    const isNew = 'base' in each
    const known = isNew
      ? { kind: each.kind, item: newId(), version: 0 }
      : items[each.which % (items.length || 1)]
    if (!known) continue
    const { dates = {}, ...set } = each.set as { dates?: object }
    const { kind, item, version } = known
    const change = { kind, item, base: version, set: { ...set, ...dates }, group: newId() }
    const [changed] = itemsIn((await user.send(change)).json)
    if (!changed) continue
    if (isNew) items.push(known)
    known.version = changed.version
  }
}
