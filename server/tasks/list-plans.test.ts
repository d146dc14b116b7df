import { fileURLToPath } from 'node:url'
import { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { listNames, lists } from '#contract/lists.ts'
import type { Schema } from '../database/schema.ts'
import { connect } from '../database/sqlite/connection.ts'
import { sqliteDialect } from '../database/sqlite/dialect.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { listQuery } from './task-queries.ts'

test.each(listNames)(
  'SQLite reads the tasks of %s in the order of an index, from any position',
  async (name) => {
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
    const list = listQuery(lists[name])
    const wanted = { today: '2026-11-21', limit: 50 }
    await list(db, 'someone', wanted)
    await list(db, 'someone', { ...wanted, after: lists[name].order.map(() => '') })
    expect(plans).toHaveLength(2)
    for (const plan of plans) {
      expect(plan).toContain('USING INDEX tasks_by_')
      expect(plan).not.toContain('TEMP B-TREE')
    }
    file.close()
    await database.close()
  },
)
