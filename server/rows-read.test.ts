import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { listNames, lists } from '#contract/lists.ts'
import type { Schema } from './database/schema.ts'
import { findFeedTasks } from './feed/feed-queries.ts'
import { newId } from './new-id.ts'
import { onPostgres } from './testing/engines.ts'
import { type ReadRows, readRowsOf } from './testing/read-rows.ts'
import { insertRows, setAccount } from './testing/stored-rows.ts'
import { onEveryServer, type TestServer, type TestUser, userForAll } from './testing/test-server.ts'

const now = Date.now()
const dayAfter = (days: number) => new Date(now + Math.round(days) * 86_400_000).toISOString().slice(0, 10)
const some = 1500
const [task, note, head] = [newId(), newId(), randomUUID()]

/** Every call that reads items, and how many rows one of its statements wants. */
const calls: [call: string, wanted: number, path?: string][] = [
  ...listNames.map((name): [string, number, string] => [lists[name].endpoint, 200, '?limit=200']),
  ['GET /tasks/:id', 1],
  // It compares at most 100 tasks, and 1,000 of their changes.
  ['GET /tasks/:id/passed', 1100],
  ['GET /notes', 200, '?limit=200'],
  ['GET /notes', 200, '?limit=200&deleted=true'],
  ['GET /notes/:id', 1],
  ['GET /notes/:id/versions', 51],
  ['GET /notes/:id/versions/:seq', 1],
  ['GET /changes', 200, '?limit=200'],
  // Other items may be changed again and again, so that it reads more of the log than it has items.
  ['GET /changes', 2000, `?limit=200&since=1.${head}`],
  // It reads all texts, in parts.
  ['GET /search', 2000, '?q=nothing'],
  ['GET /reminders', 100],
  // It counts the notes in an index.
  ['GET /import', some],
  ...['account', 'tokens', 'settings', 'user/validate'].map((call): [string, number] => [`GET /${call}`, 1]),
]

test('every call that reads is one of those whose rows are counted, or of a file or a stream', () => {
  const reading = Object.keys(api).filter((call) => call.startsWith('GET'))
  const others = ['GET /export', 'GET /export/:id', 'GET /changes/stream']
  expect([...new Set(calls.map(([call]) => call)), ...others].sort()).toEqual(reading.sort())
})

onEveryServer('in an account with 10,000 tasks', ({ engine, server }) => {
  const user = userForAll(server)

  let counter: Awaited<ReturnType<typeof readRowsOf>>
  beforeAll(async () => {
    await fill(server, user, user.id)
    if (engine === 'postgres') await onPostgres(server.url, 'vacuum analyze')
    counter = await readRowsOf(engine, server.url, server.database)
  })
  afterAll(() => counter.close())

  /** Whether a statement reads far more rows than it wants, or entries of an index in vain. */
  const readsTooMuch = ({ rows, blocks, conditions }: ReadRows, wanted: number) =>
    rows > 2 * wanted + 20 || blocks > 4 * rows + 40 || conditions.some(hasTwoBoundsOnOneSide)

  test.each(calls)(
    'each page of %s reads few rows more than it wants (%i)',
    async (call, wanted, query = '') => {
      const path = call.replace(':id', call.includes('/tasks') ? task : note).replace(':seq', '2') + query
      for (let [from, at]: [string, string | undefined] = ['', path]; at !== undefined; ) {
        const answers: Awaited<ReturnType<TestUser['call']>>[] = []
        const found = await counter.measured(async () => void answers.push(await user.call(String(at))))
        expect(answers).toMatchObject([{ status: 200 }])
        expect(found.filter((each) => readsTooMuch(each, wanted))).toEqual([])
        const { nextCursor, more, cursor } = answers[0]?.json ?? {}
        from = nextCursor ? `cursor=${nextCursor}` : `since=${cursor}`
        at = nextCursor || more ? `${path.replace(/&since=.*/, '')}${query ? '&' : '?'}${from}` : undefined
      }
    },
  )

  test.each([true, false])(
    'the calendar reads few tasks more than it wants (done ones: %s)',
    async (withDone) => {
      const wanted = { now, limit: 100, withDone }
      const found = await counter.measured(() => findFeedTasks(server.database.read, user.id, wanted))
      expect(found).toHaveLength(1)
      expect(found.filter((each) => readsTooMuch(each, 150))).toEqual([])
    },
  )
})

/** Whether a condition such as `((user_id = '…') AND (due_date > '…') AND (ROW(due_date, id) > ROW('…', '…')))` bounds a column twice. */
function hasTwoBoundsOnOneSide(condition: string): boolean {
  const sides = condition.matchAll(/\((?:ROW\()?(\w+)(?:, [\w, ]+\))? ([<>])=? /g)
  const bounds = [...sides].map(([, column, side]) => `${column} ${side}`)
  return new Set(bounds).size < bounds.length
}

/** Inserts rows of every list, repeat, history and log. */
async function fill({ database }: TestServer, user: TestUser, owner: string) {
  const insert = async (table: keyof Schema, count: number, rowOf: (index: number) => object) => {
    const rows = Array.from({ length: count }, (_, index) => ({ user_id: owner, ...rowOf(index) }))
    await insertRows(database, table, rows)
  }
  let seq = 1
  const logged = (item: string, values: object) => ({
    ...{ seq: ++seq, id: randomUUID(), at: now, device: '', by: '', kind: 'task', fields: '', previous: 0 },
    ...{ item, ...values },
  })
  const log: object[] = [{ ...logged(task, {}), seq: 1, id: head }]
  const itemRow = (text: string, deleted_at: number | null) => (index: number) => {
    const id = newId()
    log.push(logged(id, {}))
    const common = { id, version: seq, created_at: now - index, deleted_at: deleted_at && deleted_at - index }
    return { ...common, [text]: `Text ${index} `.repeat(20) }
  }
  const insertTasks = (count: number, values: (index: number) => object, rowOf = itemRow('body', null)) =>
    insert('tasks', count, (index) => ({
      ...rowOf(index),
      ...{ title: '', priority: 1 + (index % 3), due_date: '9999-12-31', done_at: null },
      ...{ series: null, repeat_day: null, ...values(index) },
    }))
  await insertTasks(4 * some, (index) => ({ due_date: dayAfter(1 + index / 30) }))
  await insertTasks(some, (index) => ({ due_date: dayAfter(-1 - index / 30) }))
  await insertTasks(some, () => ({}))
  await insertTasks(some, (index) => ({ done_at: now - index }))
  await insertTasks(some, () => ({}), itemRow('body', now))
  const series = newId()
  await insertTasks(some, (index) => ({
    ...{ series, repeat_day: dayAfter(-index), done_at: 1 },
    ...(index === 0 && { id: task }),
  }))
  const insertNotes = (count: number, rowOf: (index: number) => object, more: object = {}) =>
    insert('notes', count, (index) => ({
      ...rowOf(index),
      ...{ title: '', snippet: '', folded: '', pinned: index % 2, changed_at: now - index },
      ...{ saved_seq: 1_000_000, saved_by: '', saved_by_name: '', version_since: now, ...more },
    }))
  await insertNotes(1, itemRow('text', null), { id: note })
  await insertNotes(some, itemRow('text', null))
  await insertNotes(some, itemRow('text', now))
  await insert('versions', 4 * some, (index) => ({
    ...{ seq: 1 + index, note_id: index % 2 ? note : newId(), at: now, device: '', by: '', thinned: 0 },
    text: `Text ${index} `.repeat(50),
  }))
  for (let index = 0; index < some; index++)
    log.push(logged(task, { fields: 'title', before: '{}', previous: 1 }))
  await insert('changes', log.length, (index) => log[index] as object)
  await setAccount(database, owner, { seq })
  await user.setSettings({ zone: 'UTC' })
  for (let index = 0; index < some; index += 200) {
    const set = { title: 'T', dueDate: dayAfter(30), dueTime: '12:00', priority: 'low' }
    await user.send(...Array.from({ length: 200 }, () => ({ item: newId(), set })))
  }
}
