import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { lists } from '#contract/lists.ts'
import { Task } from '#contract/tasks.ts'
import { jsonTextIn } from '../database/engine-sql.ts'
import { newId } from '../new-id.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { hostileTexts } from '../testing/hostile-values.ts'
import { addUser, databaseForAll } from '../testing/open-test-database.ts'
import { rounds } from '../testing/rounds.ts'
import { insertRows } from '../testing/stored-rows.ts'
import { taskKind } from './task-kind.ts'
import { listQuery } from './task-queries.ts'

const latest = listQuery(lists.latest)

onEveryEngine('the JSON of a listed task', (engine) => {
  const database = databaseForAll(engine)

  /** Stores a task of a new user with these values and returns its row. */
  async function store(values: { title?: string; body?: string; created_at?: number }) {
    const row = {
      ...{ id: newId(), title: 'Any', body: '', due_date: '0001-01-01', priority: 1, repeat_from: 1 },
      ...{ created_at: 0, version: 0, place_in_file: 0, done_at: null, deleted_at: null },
      ...values,
    }
    const user_id = await database.write((db) => addUser(db))
    await insertRows(database, 'tasks', [{ user_id, ...row }])
    return { owner: user_id, row }
  }

  const listed = async (owner: string) =>
    (await latest(database.read, owner, { today: '', limit: 1 })).tasks[0] ?? ''

  /** The characters that a request may store: every code point but U+0000. */
  const storable = fc
    .oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom(...hostileTexts))
    .map((text) => text.replaceAll('\0', '').toWellFormed())

  test('contains every text that can be stored, unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(storable, storable, async (title, body) => {
        const { owner, row } = await store({ title, body })
        expect(JSON.parse(await listed(owner))).toEqual(taskKind.toItem(row))
      }),
      { numRuns: rounds(200) },
    )
    const every = Array.from({ length: 0x300 }, (_, code) => String.fromCodePoint(code + 1)).join('')
    const { owner, row } = await store({ title: every, body: `${every}\u2028\u2029\uFEFF\uFFFF😀` })
    expect(JSON.parse(await listed(owner))).toEqual(taskKind.toItem(row))
  })

  test('contains instants as toISOString writes them, to the millisecond', async () => {
    const [first, last] = [Date.parse('0001-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')]
    const known = [first, -1, 0, 1, 999, 1000, 951_782_399_999, 951_782_400_000, 1_795_000_000_001, last]
    const instants = fc.array(fc.integer({ min: first, max: last }), { minLength: 300, maxLength: 300 })
    await fc.assert(
      fc.asyncProperty(instants, async (some) => {
        const all = [...known, ...some]
        const column = sql<number>`cast(value.at as bigint)`
        const values = sql.join(
          all.map((at) => sql`select ${sql.lit(at)} as at`),
          sql` union all `,
        )
        const { rows } = await sql<{ text: string }>`
          select ${jsonTextIn(database.read).instant(column)} as text from (${values}) as value`.execute(
          database.read,
        )
        expect(rows.map(({ text }) => text)).toEqual(all.map((at) => new Date(at).toISOString()))
      }),
      { numRuns: rounds(20), endOnFailure: true },
    )
  })

  test('has the fields of the response schema and no other column of the table', async () => {
    const { owner } = await store({})
    await database.write((db) => sql`alter table tasks add column secret text default 'secret'`.execute(db))
    const text = await listed(owner)
    expect(text).not.toContain('secret')
    expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(Task.properties))
  })
})
