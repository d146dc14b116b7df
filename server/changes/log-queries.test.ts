import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { kinds } from '../app.ts'
import { undoImport } from '../importing/undo-import.ts'
import { newId } from '../new-id.ts'
import { findNoteHistory } from '../notes/note-history.ts'
import { findNote, type NoteRow, noteKind } from '../notes/note-kind.ts'
import { findPassedDays } from '../tasks/passed-days.ts'
import { taskKind } from '../tasks/task-kind.ts'
import { insertTask } from '../tasks/task-writes.ts'
import { addUser } from '../testing/open-test-database.ts'
import { plannedDatabase } from '../testing/query-plans.ts'
import { change, type Mutation } from './change.ts'
import { findDelta } from './delta.ts'
import type { ItemSet } from './item-kind.ts'
import { purgePart } from './purge-items.ts'
import { undo } from './undo-changes.ts'

const whole = { title: 'T', dueDate: '2026-11-21', priority: 'high' } as const

test('SQLite finds changes of an item, a group or a mutation through their indexes, without reading the whole log', async () => {
  const { db, file, statements, planOf } = await plannedDatabase()
  const owner = await addUser(db)
  const author = { userId: owner, device: '', by: '' }
  const limits = { kinds, quota: 2 ** 30, now: 1 }
  const [item, group] = [randomUUID(), randomUUID()]
  const send = (mutation: Mutation) => change(db, author, [{ mutation: randomUUID(), ...mutation }], limits)
  const edit = (set: ItemSet, base?: number) =>
    send({ kind: 'task', item, group, set, ...(base && { base }) })
  await edit(whole)
  await edit({ title: 'A' })
  await edit({ body: 'B' }, 1)
  await undo(db, author, { seq: 2, group: true }, limits)
  for (const mutation of [randomUUID(), newId()]) await insertTask(db, author, whole, { ...limits, mutation })
  await undoImport(db, author, { import: group }, limits)
  await purgePart(db, { author, kind: taskKind, id: item, behind: -1 }, 1, 1)
  const repeated = randomUUID()
  const set = { ...whole, repeat: 'FREQ=DAILY' }
  await send({ kind: 'task', item: repeated, set })
  await findPassedDays(db, owner, repeated, { today: '2026-11-25', now: 1 })
  const note = randomUUID()
  const save = (text: string, base: number) =>
    send({ item: note, kind: 'note', base, set: { text }, group: randomUUID() })
  await save('one', 0)
  for (let number = 0; number < 2; number++) {
    const stored = (await findNote(db, owner, note)) as NoteRow
    const { version } = stored
    await save(`text ${number}`, version)
    await findNoteHistory(db, author, stored, version)
    await undo(db, author, { seq: version + 1, group: false }, limits)
  }
  const head = { userId: owner, seq: 1, head: '' }
  await findDelta(db, kinds, head, {})
  await send({ item: note, kind: 'note', set: { deleted: true } })
  await purgePart(db, { author, kind: noteKind, id: note, behind: -1 }, 1, 1)

  const selects = [...statements].filter((text) => text.startsWith('select'))
  const byChange = /from "changes" .*"(item|group_id|mutation)" (=|in)/
  const plans = selects.filter((text) => byChange.test(text)).map(planOf)
  for (const index of ['edits_of_item', 'changes_by_group', 'changes_by_mutation'])
    expect(plans.filter((plan) => plan.includes(`COVERING INDEX ${index} `))).not.toEqual([])
  for (const plan of plans) expect(plan).toContain('COVERING INDEX')
  const ofVersions = selects.filter((text) => text.includes('"note_id" ='))
  expect(ofVersions).toHaveLength(3)
  for (const text of statements) {
    const details = planOf(text)
    if (ofVersions.includes(text))
      expect(details).toMatch(/SEARCH versions USING COVERING INDEX versions_of_note/)
    else expect(details).not.toMatch(/SCAN (users|tasks|notes|versions|changes)\b/)
  }
  const indexed = file.prepare(`
    select seq from changes indexed by edits_of_item where previous is distinct from 0 and item = ? order by seq`)
  // The creation is the first change.
  expect(indexed.all(item).map(({ seq }) => seq)).not.toContain(1)
})
