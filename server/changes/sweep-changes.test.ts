import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { keptFor } from '#contract/limits.ts'
import { kinds } from '../app.ts'
import type { Database } from '../database/database.ts'
import { taskKind } from '../tasks/task-kind.ts'
import { itemsIn } from '../testing/items-in.ts'
import { addUser, openTestDatabase } from '../testing/open-test-database.ts'
import { accountOf, execute, logOf, setAccount } from '../testing/stored-rows.ts'
import { onEveryServer } from '../testing/test-server.ts'
import { closeAccount } from '../users/account-deletion.ts'
import { purgePart } from './purge-items.ts'
import { sweepChanges } from './sweep-changes.ts'

const day = 86_400_000
const whole = { title: 'Water the plants', dueDate: '2026-11-21', priority: 'high' } as const

onEveryServer('the sweep of the log', ({ server, user }) => {
  const log = () => logOf(server.database, user.id)
  const kindsOfLog = async () => Object.fromEntries((await log()).map(({ seq, kind }) => [seq, kind]))
  const sweep = (now: number) => sweepChanges(server.database, kinds, now, new AbortController().signal)

  /** Makes the user's changes up to number `seq` older than 30 days. */
  async function age(seq: number) {
    const at = sql`at - ${keptFor + 1}`
    const own = sql`update changes set at = ${at} where user_id = ${user.id} and seq <= ${seq}`
    await execute(server.database, own)
    await setAccount(server.database, user.id, { trim_at: 0 })
  }

  test('keeps the cursor of a client that was up to date in the last thirty days, even if nothing had changed for longer', async () => {
    await user.addTask()
    await user.addTask()
    const { cursor } = await user.changes()
    await age(2)
    await sweep(Date.now())
    const added = await user.addTask()
    await sweep(Date.now())
    expect(itemsIn(await user.changes(cursor))).toEqual([added])
    expect(await kindsOfLog()).toEqual({ 2: 'start', 3: 'task' })
  })

  test('removes old values after thirty days, even those of the newest change', async () => {
    const { _id: item } = await user.addTask({ title: 'Secret' })
    await user.send({ item, set: { title: 'Harmless' } })
    await age(2)
    await sweep(Date.now())
    expect(JSON.stringify(await log())).not.toContain('Secret')
    const counted = { seq: 2, stored_bytes: 'Harmless'.length }
    expect(await accountOf(server.database, user.id)).toMatchObject(counted)
    await sweep(Date.now())
    expect(await log()).toHaveLength(1)
    expect((await user.change(item, { title: 'Merged' }, { base: 2 })).outcome).toBe('applied')
    expect((await user.change(item, { title: 'Unknown' }, { base: 1 })).outcome).toBe('conflict')
  })

  test('removes an old value thirty days after its change, although the log was swept a day later', async () => {
    const { _id: item } = await user.addTask({ title: 'Secret' })
    await user.send({ item, set: { title: 'Harmless' } })
    await age(1)
    await sweep(Date.now() + day)
    expect(await kindsOfLog()).toEqual({ 1: 'start', 2: 'task' })
    await sweep(Date.now() + keptFor)
    expect(JSON.stringify(await log())).not.toContain('Secret')
  })

  test('forgets the Idempotency-Key of an addition, whose repeat then still leaves the task as it is', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const add = () => user.call('POST /list/addTask', { body: whole, headers })
    const { _id: item } = (await add()).json.task
    await user.send({ item, set: { title: 'Edited' } })
    await age(2)
    await sweep(Date.now())
    expect((await add()).json.task).toMatchObject({ _id: item, title: 'Edited', version: 2 })
    expect(await user.tasks()).toMatchObject([{ title: 'Edited' }])
  })

  test('that is interrupted while it removes a task leaves changes that cannot be undone, and undo does not delete the task if it is restored', async () => {
    const { _id: item } = await user.addTask({ title: '0' })
    await user.send({ item, set: { body: 'Text' } })
    const edits = Array.from({ length: 600 }, (_, index) => ({ item, set: { title: String(index + 1) } }))
    for (let from = 0; from < edits.length; from += 200) await user.send(...edits.slice(from, from + 200))
    await user.deleteTask(item)
    const now = Date.now()
    const part = { author: { userId: user.id, device: '', by: '' }, kind: taskKind, id: item, behind: -1 }
    expect(await server.database.write((db) => purgePart(db, part, now, now))).toBeTypeOf('number')
    await user.send({ item, set: { deleted: false } })
    expect((await log()).find(({ seq }) => seq === 2)?.before).toBeNull()
    expect((await user.undo(2)).status).toBe(404)
    expect(await user.task(item)).toMatchObject({ title: '600', body: 'Text', deletedAt: null })
  })

  test('continues if an account is closed in the meantime', async () => {
    const [closing, other] = [await server.newUser(), await server.newUser()]
    for (const user of [closing, other]) {
      const { _id } = await user.addTask()
      await user.deleteTask(_id)
    }
    let closed = false
    const database: typeof server.database = {
      ...server.database,
      async write(work, owner) {
        if (!closed && owner === closing.id) {
          closed = true
          await server.database.write((db) => closeAccount(db, closing.id, Date.now()))
        }
        return await server.database.write(work, owner)
      },
    }
    await sweepChanges(database, kinds, Date.now() + keptFor + 1, new AbortController().signal)
    expect(closed).toBe(true)
    const tasks = server.database.read.selectFrom('tasks').select('id').where('user_id', '=', other.id)
    expect(await tasks.execute()).toEqual([])
  })

  test('removes a task whose id is then used again: a client learns of the new task', async () => {
    const { _id: item } = await user.addTask({ title: 'Old' })
    await user.deleteTask(item)
    const { cursor } = await user.changes()
    await sweep(Date.now() + keptFor + 1)
    await user.send({ item, set: whole })
    for (const since of [cursor, `${cursor}&limit=1`]) {
      const delta = await user.changes(since)
      expect([delta.purged, itemsIn(delta)]).toMatchObject([[item], [{ _id: item, ...whole }]])
    }
  })
})

test('two servers that sweep at once share the work', async () => {
  const database = await openTestDatabase('postgres')
  const users = 60
  await database.write(async (db) => {
    for (let user = 0; user < users; user++) await addUser(db)
    await db.updateTable('users').set({ trim_at: 0 }).execute()
  })
  let writes = 0
  const sweep = (server: Database) => {
    const write: Database['write'] = (work, owner) => {
      writes++
      return server.write(work, owner)
    }
    return sweepChanges({ ...server, write }, kinds, Date.now(), new AbortController().signal)
  }
  const other = await openTestDatabase(database.url)
  await Promise.all([sweep(database), sweep(other)])
  // Both may choose the same user, mostly one of the last ones.
  expect(writes).toBeLessThan(1.5 * users)
  await database.close()
  await other.close()
})
