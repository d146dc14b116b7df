import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { keptFor, rowBytes } from '#contract/limits.ts'
import { kinds } from '../app.ts'
import { bytesOfChange } from '../changes/item-kind.ts'
import { sweepChanges } from '../changes/sweep-changes.ts'
import { thinVersions } from '../notes/note-versions.ts'
import { taskKind } from '../tasks/task-kind.ts'
import { many } from '../testing/many-clients.ts'
import { accountOf, logOf } from '../testing/stored-rows.ts'
import { aTask } from '../testing/test-client.ts'
import { onEveryServer, serverForAll, type TestServer, type TestUser } from '../testing/test-server.ts'

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

  test.each([
    ['apply a mutation once that both get at the same moment', 'duplicate', { mutation: randomUUID() }],
    ['create one task if both get different mutations with the same new id', 'conflict', { base: 0 }],
  ])('%s', async (_, outcome, more) => {
    const user = await server.newUser()
    const item = randomUUID()
    const set = (index: number) => ({ ...aTask, title: `T${index}` })
    const sent = many(12, (index) => send(index, user, { item, set: set(index), ...more }))
    const results = (await Promise.all(sent)).flat()
    expect(results.map((each) => each.outcome).sort()).toEqual(['applied', ...Array(11).fill(outcome)])
    for (const result of results) expect(result.item).toMatchObject({ _id: item, version: 1 })
    await expectWhole(user)
  })

  test('keep the log, the stored bytes and the number of tasks consistent if edits, moves, completions, saves, deletions, purges, undos, restores and sweeps interleave', async () => {
    const user = await server.newUser()
    const tasks = many(4, () => randomUUID())
    const notes = [randomUUID(), randomUUID()]
    const asNote = { kind: 'note', base: 0 }
    await send(0, user, ...tasks.map((item) => ({ item, set: { ...aTask, dueDate: '2020-01-01' } })))
    await send(0, user, ...notes.map((item) => ({ item, ...asNote, set: { text: 'Start' } })))
    const [days, month] = [Date.now() + 3 * 86_400_000, Date.now() + keptFor + 1]
    const { signal } = new AbortController()
    const calls = many(180, async (index) => {
      const [task, note] = [tasks[index % 4] as string, notes[index % 2] as string]
      const [group, text] = [randomUUID(), `${index} é`.repeat(index)]
      const { database } = servers[index % 2] as TestServer
      const write = (...changes: object[]) => send(index, user, ...changes)
      const call = (endpoint: string, body?: object) => through(index, user, endpoint, body)
      const steps: (() => Promise<unknown>)[] = [
        () => write(...tasks.map((item) => ({ item, group, set: { dueDate: '2026-01-01' } }))),
        () => write({ item: task, set: { done: index % 4 < 2 } }),
        () => write({ item: note, ...asNote, base: index % 30, group, set: { text } }),
        () => call('POST /items/purge', { items: [task, note] }),
        () => call(`POST /changes/${index}/undo?group=true`),
        () => write({ item: task, set: { ...aTask, dueDate: '2020-01-01' } }),
        () => write({ item: note, kind: 'note', set: { deleted: index % 4 === 0 } }),
        () => write({ item: task, set: { deleted: index % 4 < 2 } }),
        () => thinVersions(database, days, signal),
        () => sweepChanges(database, kinds, month, signal),
        () => call(`DELETE /list/deleteTask/${task}`),
        () => call(`PUT /list/updateTask/${task}`, { ...aTask, title: text.slice(0, 90) }),
        () => call(`POST /changes/${index}/undo`),
        () => write({ item: task, base: 3, set: { body: text } }),
        async () => {
          const base = (await call(`GET /notes/${note}`)).json.note?.version ?? 0
          await write({ item: note, ...asNote, base, group, set: { text } })
        },
      ]
      await steps[index % steps.length]?.()
    })
    await Promise.all(calls)
    await expectWhole(user)
  })
})
