import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { keptFor, rowBytes } from '#contract/limits.ts'
import { kinds } from '../app.ts'
import { bytesOfChange } from '../changes/item-kind.ts'
import { sweepChanges } from '../changes/sweep-changes.ts'
import { thinVersions } from '../notes/note-versions.ts'
import { taskKind } from '../tasks/task-kind.ts'
import { accountOf, logOf } from '../testing/stored-rows.ts'
import { onEveryServer, serverForAll, type TestServer, type TestUser } from '../testing/test-server.ts'

const whole = { title: 'T', dueDate: '2026-11-21', priority: 'high' } as const

onEveryServer('two servers that change one log at the same time', ({ server }) => {
  const servers = [server, serverForAll(server)] as const

  const through = (index: number, { token }: TestUser, endpoint: string, body?: object) =>
    (servers[index % 2] as TestServer).call(endpoint, { token, ...(body && { body }) })
  const send = async (index: number, user: TestUser, ...changes: object[]) => {
    const given = changes.map((each) => ({ mutation: randomUUID(), ...each }))
    const { status, json } = await through(index, user, 'POST /changes', { changes: given })
    expect(status).toBe(200)
    return json.items
  }

  /** Checks that the numbers of the log have no gaps and that the totals are those of the rows. */
  async function expectWhole({ id }: TestUser) {
    const { read } = server.database
    const account = await accountOf(server.database, id)
    const tasks = await read.selectFrom('tasks').selectAll().where('user_id', '=', id).execute()
    const changes = await logOf(server.database, id)
    expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, index) => (changes[0]?.seq ?? 0) + index))
    expect([account.seq, account.head]).toEqual([changes.at(-1)?.seq, changes.at(-1)?.id])
    expect(account.task_count).toBe(tasks.filter(({ deleted_at }) => deleted_at === null).length)
    const notes = await read.selectFrom('notes').selectAll().where('user_id', '=', id).execute()
    const versions = await read.selectFrom('versions').selectAll().where('user_id', '=', id).execute()
    const ids = new Set(notes.map(({ id }) => id))
    expect(versions.filter(({ note_id }) => !ids.has(note_id))).toEqual([])
    const bytes =
      tasks.reduce((sum, task) => sum + taskKind.bytesOf(task), 0) +
      notes.reduce((sum, note) => sum + Buffer.byteLength(note.text), 0) +
      versions.reduce((sum, version) => sum + Buffer.byteLength(version.text) + rowBytes, 0)
    expect(account.stored_bytes).toBe(changes.reduce((sum, each) => sum + bytesOfChange(each), bytes))
  }

  test('apply a mutation once that both get at the same moment', async () => {
    const user = await servers[0].newUser()
    const create = { mutation: randomUUID(), item: randomUUID(), set: whole }
    const results = await Promise.all(Array.from({ length: 12 }, (_, index) => send(index, user, create)))
    const outcomes = results.map(([result]) => result?.outcome).sort()
    expect(outcomes).toEqual(['applied', ...Array(11).fill('duplicate')])
    for (const [result] of results) expect(result?.item).toMatchObject({ _id: create.item, version: 1 })
    await expectWhole(user)
  })

  test('create one task if both get different mutations with the same new id', async () => {
    const user = await servers[0].newUser()
    const item = randomUUID()
    const creates = Array.from({ length: 12 }, (_, index) =>
      send(index, user, { item, base: 0, set: { ...whole, title: `T${index}` } }),
    )
    const outcomes = (await Promise.all(creates)).map(([result]) => result?.outcome).sort()
    expect(outcomes).toEqual(['applied', ...Array(11).fill('conflict')])
    await expectWhole(user)
  })

  test('keep log and totals consistent if edits, moves, completions, saves, deletions, purges, undos, restores and sweeps interleave', async () => {
    const user = await servers[0].newUser()
    const tasks = Array.from({ length: 4 }, () => randomUUID())
    const notes = [randomUUID(), randomUUID()]
    const asNote = { kind: 'note', base: 0 }
    await send(0, user, ...tasks.map((item) => ({ item, set: { ...whole, dueDate: '2020-01-01' } })))
    await send(0, user, ...notes.map((item) => ({ item, ...asNote, set: { text: 'Start' } })))
    const [days, month] = [Date.now() + 3 * 86_400_000, Date.now() + keptFor + 1]
    const { signal } = new AbortController()
    const calls = Array.from({ length: 180 }, async (_, index) => {
      const [task, note] = [tasks[index % 4] as string, notes[index % 2] as string]
      const [kind, group] = [index % 15, randomUUID()]
      const { database } = servers[index % 2] as TestServer
      const text = `${index} `.repeat(index)
      if (kind === 0)
        await send(index, user, ...tasks.map((item) => ({ item, group, set: { dueDate: '2026-01-01' } })))
      else if (kind === 1) await send(index, user, { item: task, set: { done: index % 4 < 2 } })
      else if (kind === 2)
        await send(index, user, { item: note, ...asNote, base: index % 30, group, set: { text } })
      else if (kind === 3) await through(index, user, 'POST /items/purge', { items: [task, note] })
      else if (kind === 4) await through(index, user, `POST /changes/${index}/undo?group=true`)
      else if (kind === 5) await send(index, user, { item: task, set: { ...whole, dueDate: '2020-01-01' } })
      else if (kind === 6)
        await send(index, user, { item: note, kind: 'note', set: { deleted: index % 4 === 0 } })
      else if (kind === 7) await send(index, user, { item: task, set: { deleted: index % 4 < 2 } })
      else if (kind === 8) await thinVersions(database, days, signal)
      else if (kind === 9) await sweepChanges(database, kinds, month, signal)
      else if (kind === 10) await through(index, user, `DELETE /list/deleteTask/${task}`)
      else if (kind === 11)
        await through(index, user, `PUT /list/updateTask/${task}`, { ...whole, title: `${index}` })
      else if (kind === 12) await through(index, user, `POST /changes/${index}/undo`)
      else if (kind === 13) await send(index, user, { item: task, base: 3, set: { body: `${index}` } })
      else {
        const { json } = await through(index, user, `GET /notes/${note}`)
        const base = json.note?.version ?? 0
        await send(index, user, { item: note, ...asNote, base, group, set: { text } })
      }
    })
    await Promise.all(calls)
    await expectWhole(user)
  })

  test('answer 401 or apply a change if the account is deleted at the same time, and nothing remains', async () => {
    const user = await servers[0].newUser()
    const changes = Array.from({ length: 20 }, (_, index) =>
      through(index, user, 'POST /changes', {
        changes: [{ mutation: randomUUID(), item: randomUUID(), set: whole }],
      }),
    )
    const deletion = through(1, user, 'POST /user/deleteAccount', { password: user.password })
    const statuses = new Set((await Promise.all(changes)).map(({ status }) => status))
    expect([200, 401]).toEqual(expect.arrayContaining([...statuses]))
    expect((await deletion).status).toBe(200)
    expect((await through(0, user, 'GET /changes')).status).toBe(401)
  })
})
