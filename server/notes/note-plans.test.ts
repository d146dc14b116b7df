import { fileURLToPath } from 'node:url'
import { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import type { Schema } from '../database/schema.ts'
import { connect } from '../database/sqlite/connection.ts'
import { sqliteDialect } from '../database/sqlite/dialect.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { countNotes } from './note-kind.ts'
import { thinVersions } from './note-versions.ts'

/** Runs the work on an empty SQLite database and returns the plan of each of its statements. */
async function plansOf(work: (db: Kysely<Schema>) => Promise<unknown>): Promise<string[]> {
  const database = await openTestDatabase('sqlite')
  const { file } = connect(fileURLToPath(database.url), () => {})
  const plans: string[] = []
  const db = new Kysely<Schema>({
    dialect: sqliteDialect(file, () => {}),
    log({ query }) {
      const rows = file.prepare(`explain query plan ${query.sql}`).all()
      plans.push(rows.map(({ detail }) => String(detail)).join('; '))
    },
  })
  await work(db)
  file.close()
  await database.close()
  return plans
}

test('SQLite counts the notes of a user in an index, without reading them', async () => {
  expect(await plansOf((db) => countNotes(db, 'someone'))).toEqual([
    expect.stringContaining('COVERING INDEX notes_by_change (user_id=?)'),
  ])
})

test('SQLite finds the versions to thin out by their age, without reading those that were thinned out before', async () => {
  const stop = new AbortController().signal
  const plans = await plansOf((db) =>
    thinVersions({ read: db } as Parameters<typeof thinVersions>[0], 1, stop),
  )
  expect(plans).toEqual([
    expect.stringContaining('USING INDEX versions_to_thin_by_hour (at<?)'),
    expect.stringContaining('USING INDEX versions_to_thin_by_day (at<?)'),
  ])
  for (const plan of plans) expect(plan).not.toContain('TEMP B-TREE')
})
