import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import type { Schema } from '../database/schema.ts'
import { connect } from '../database/sqlite-connection.ts'
import { sqliteDialect } from '../database/sqlite-dialect.ts'
import { insertTask } from '../tasks/task-writes.ts'
import { addUser, openTestDatabase } from '../testing/open-test-database.ts'
import { change } from './change.ts'
import { findHistory } from './history.ts'
import { purgePart } from './purge.ts'
import { taskKind } from './task-kind.ts'
import { undo } from './undo.ts'

const whole = { title: 'T', dueDate: '2026-11-21', priority: 'high' } as const

test('SQLite finds changes of an item, a group or a mutation through their indexes, without reading the whole log', async () => {
  const database = await openTestDatabase('sqlite')
  const { file } = connect(fileURLToPath(database.url), () => {})
  const statements = new Set<string>()
  const db = new Kysely<Schema>({
    dialect: sqliteDialect(file, () => {}),
    log({ query }) {
      statements.add(query.sql)
    },
  })
  const owner = await addUser(db)
  const author = { userId: owner, device: '' }
  const limits = { quota: 2 ** 30, now: 1 }
  const [item, group] = [randomUUID(), randomUUID()]
  const edit = (set: object, base?: number) =>
    change(db, author, [{ mutation: randomUUID(), item, group, set, ...(base && { base }) }], limits)
  await edit(whole)
  await edit({ title: 'A' })
  await edit({ body: 'B' }, 1)
  await undo(db, author, { seq: 2, group: true }, limits)
  await findHistory(db, author, item, undefined)
  await insertTask(db, author, whole, { ...limits, mutation: randomUUID() })
  await purgePart(db, { owner, kind: taskKind, id: item, behind: -1 }, 1, 1)

  const plans = [...statements]
    .filter(
      (text) => text.startsWith('select') && /from "changes" .*"(item|group_id|mutation)" (=|in)/.test(text),
    )
    .map((text) =>
      file
        .prepare(`explain query plan ${text}`)
        .all()
        .map(({ detail }) => String(detail))
        .join('; '),
    )
  for (const index of ['edits_of_item', 'changes_by_group', 'changes_by_mutation'])
    expect(plans.filter((plan) => plan.includes(`COVERING INDEX ${index} `))).not.toEqual([])
  for (const plan of plans) expect(plan).toContain('COVERING INDEX')
  const indexed = file.prepare(`
    select seq from changes indexed by edits_of_item where previous is distinct from 0 and item = ? order by seq`)
  // The creation is the first change.
  expect(indexed.all(item).map(({ seq }) => seq)).not.toContain(1)
  file.close()
  await database.close()
})
