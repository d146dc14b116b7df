import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { keptFor, rowBytes } from '#contract/limits.ts'
import { kinds } from '../app.ts'
import { sweepChanges } from '../changes/sweep-changes.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { many } from '../testing/many-clients.ts'
import { databaseForAll } from '../testing/open-test-database.ts'
import { accountOf, setAccount } from '../testing/stored-rows.ts'
import { serverForAll, type TestServer, type TestUser } from '../testing/test-server.ts'

const draft = { title: 'T', dueDate: '2026-11-21', priority: 'high' } as const
/** With the title of one byte and the change that adds it: 100 KiB. */
const body = `${'é'.repeat(51_199 - rowBytes / 2)}e`
const quota = 10 * 102_400
const full = { counted: quota, stored: quota, count: 10, tasks: 10 }

onEveryEngine('the quota of stored bytes', (engine) => {
  // Two servers that share a database, as several may on PostgreSQL, and a third whose operator has lowered the quota.
  const database = databaseForAll(engine)
  const [server, other, strict] = ['1000KiB', '1000KiB', '1KiB'].map((ACCOUNT_QUOTA) =>
    serverForAll(database, { ACCOUNT_QUOTA }),
  ) as [TestServer, TestServer, TestServer]

  /** The stored bytes of a user, as they are counted and as they are. */
  async function storedOf(id: string) {
    const { rows } = await sql<Record<'counted' | 'stored' | 'task_count' | 'tasks', number>>`
      select stored_bytes as counted, task_count,
        (select coalesce(sum(octet_length(title) + octet_length(body)), 0) from tasks where user_id = users.id) +
          (select coalesce(sum(coalesce(octet_length(before), 0) + ${sql.lit(rowBytes)}), 0)
            from changes where user_id = users.id and kind <> 'start') as stored,
        (select count(*) from tasks where user_id = users.id and deleted_at is null) as tasks
      from users where id = ${id}`.execute(database.read)
    const [row] = rows
    if (!row) throw new Error(`there is no user ${id}`)
    return { counted: row.counted, stored: Number(row.stored), count: row.task_count, tasks: row.tasks }
  }

  const through = (to: TestServer | undefined, { token }: TestUser, endpoint: string, sent?: object) =>
    (to as TestServer).call(endpoint, { token, ...(sent && { body: sent }) })

  test('refuses a task beyond it with a 409 that says how much there is, and stores nothing of it', async () => {
    // The date in the error is that of the first task.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    onTestFinished(() => void vi.useRealTimers())
    const user = await server.newUser()
    for (let added = 0; added < 10; added++)
      expect((await user.call('POST /list/addTask', { body: { ...draft, body } })).status).toBe(200)
    const refused = await user.call('POST /list/addTask', { body: draft })
    const returns = new Date(Date.now() + keptFor).toISOString().slice(0, 10)
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      `Your tasks, notes and changes take up 1,024,000 bytes and this would add 257; one account stores at most 1,024,000. To make room now, delete something for good. Changes, what is deleted and old texts of tasks count for 30 days, the oldest of them until ${returns}; old texts of notes count too.`,
    ])
    expect(await storedOf(user.id)).toMatchObject(full)
  })

  test('refuses an edit that grows a task beyond it, and the task stays as it was', async () => {
    const user = await server.newUser()
    const tasks = []
    for (let added = 0; added < 10; added++) tasks.push(await user.addTask({ ...draft, body }))
    const [task] = tasks
    const edit = { ...draft, title: 'Tt', dueDate: '2027-01-01' }
    expect((await user.editTask(task?._id, edit)).status).toBe(409)
    expect((await user.call('GET /list/getHighPriorityTasks?limit=1')).json.lists).toEqual([task])
    expect((await user.editTask(task?._id, { ...edit, title: 'U' })).status).toBe(200)
  })

  test('that was lowered below the stored bytes refuses no delete and no edit that stores less', async () => {
    const user = await server.newUser()
    const [one, two] = [await user.addTask({ ...draft, body }), await user.addTask({ ...draft, body })]
    const atStrict = strict.as(user.token)
    const add = () => through(strict, user, 'POST /list/addTask', draft)
    const answers = [
      ...[await add(), await atStrict.editTask(one._id, { ...draft, body: body.slice(1) })],
      ...[await atStrict.editTask(one._id, { ...draft, body }), await atStrict.deleteTask(one._id)],
      // A deleted task can be restored for 30 days, and counts until then.
      ...[await atStrict.deleteTask(two._id), await add()],
    ]
    expect(answers.map(({ status }) => status)).toEqual([409, 200, 409, 200, 200, 409])
    const { counted, stored, count, tasks } = await storedOf(user.id)
    expect([counted, count, tasks]).toEqual([stored, 0, 0])
  })

  test('counts notes and their earlier texts, and refuses no deletion and no shorter text', async () => {
    const user = await server.newUser()
    const item = randomUUID()
    const save = async (to: TestServer | undefined, set: object, more: object = {}) => {
      const change = { mutation: randomUUID(), item, kind: 'note', set, ...more }
      return await through(to, user, 'POST /changes', { changes: [change] })
    }
    const long = 'é'.repeat(50_000)
    expect((await save(server, { text: long }, { base: 0 })).status).toBe(200)
    expect((await save(server, { text: 'short' }, { base: 1, group: randomUUID() })).status).toBe(200)
    const stored = async () => (await accountOf(database, user.id)).stored_bytes
    const before = await stored()
    expect(before).toBeGreaterThan(100_000)
    const refused = await save(strict, { text: 'longer' }, { base: 2 })
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      expect.stringContaining('old texts of notes'),
    ])
    expect(await stored()).toBe(before)
    expect((await save(strict, { text: 'shor' }, { base: 2 })).status).toBe(200)
    expect((await save(strict, { deleted: true })).status).toBe(200)
    expect((await save(strict, { deleted: false })).status).toBe(409)
    const { items } = (await through(strict, user, 'POST /changes/4/undo')).json
    expect(items).toMatchObject([{ outcome: 'applied', item: { text: 'shor', deletedAt: null } }])
    expect((await save(strict, { deleted: true })).status).toBe(200)
    expect((await strict.as(user.token).purge(item)).json).toEqual({ purged: [item] })
    expect(await stored()).toBe(7 * rowBytes)
  })

  test('counts tasks that are created, deleted and removed for good again and again, until the log is trimmed', async () => {
    const user = await server.newUser()
    const add = () => through(strict, user, 'POST /list/addTask', draft)
    const { _id: item } = (await add()).json.task
    expect((await through(strict, user, `DELETE /list/deleteTask/${item}`)).status).toBe(200)
    expect((await through(strict, user, 'POST /items/purge', { items: [item] })).status).toBe(200)
    const { counted, stored } = await storedOf(user.id)
    expect([counted, stored, (await add()).status]).toEqual([3 * rowBytes, counted, 409])
    await setAccount(database, user.id, { trim_at: 0 })
    await sweepChanges(database, kinds, Date.now() + keptFor + 1, new AbortController().signal)
    expect([(await storedOf(user.id)).counted, (await add()).status]).toEqual([0, 200])
  })

  test('is not exceeded by many adds at once through two servers', async () => {
    const user = await server.newUser()
    const adds = many(40, (index) =>
      through(index % 2 ? server : other, user, 'POST /list/addTask', { ...draft, body }),
    )
    const statuses = (await Promise.all(adds)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([...Array(10).fill(200), ...Array(30).fill(409)])
    expect(await storedOf(user.id)).toMatchObject(full)
  })
})
