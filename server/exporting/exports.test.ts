import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { Writable } from 'node:stream'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { newId } from '../new-id.ts'
import { hashOf } from '../sessions/token.ts'
import { exportedBy, filesIn } from '../testing/exported-files.ts'
import { runScript, scripts } from '../testing/random-script.ts'
import { eventually, listen } from '../testing/raw-client.ts'
import { rounds } from '../testing/rounds.ts'
import { allRows } from '../testing/rows.ts'
import { accountOf } from '../testing/stored-rows.ts'
import {
  onEveryServer,
  serverForTest,
  startTestServer,
  type TestServer,
  type TestUser,
} from '../testing/test-server.ts'
import { writeExport } from './write-export.ts'

const withoutVersion = ({ version: _, ...item }: { version: number }) => item
const byId = (one: { _id: string }, other: { _id: string }) => (one._id < other._id ? -1 : 1)

/** What the calls answer, in the form of the files. */
async function answered(user: TestUser) {
  const { items, cursor } = await user.changes()
  const [tasks, notes, versions] = [[] as object[], [] as object[], [] as { seq: number; note: string }[]]
  const deleted: object[] = []
  for (const { kind, item } of items.toSorted((one, other) => byId(one.item, other.item))) {
    const whole = kind === 'note' ? await user.note(item._id) : item
    if (item.deletedAt !== null) deleted.push({ kind, item: withoutVersion(whole) })
    else (kind === 'note' ? notes : tasks).push(withoutVersion(whole))
    if (kind !== 'note') continue
    const [, ...earlier] = (await user.call(`GET /notes/${item._id}/versions`)).json.versions
    for (const { seq } of earlier) {
      const { own: _, ...version } = (await user.call(`GET /notes/${item._id}/versions/${seq}`)).json.version
      versions.push({ note: item._id, ...version })
    }
  }
  const kinds = ['task', 'note']
  const inOrder = (deleted as { kind: string }[]).toSorted(
    (one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind),
  )
  const settings = (await user.call('GET /settings')).json.settings
  const ordered = versions
    .toSorted((one, other) => one.seq - other.seq)
    .map(({ seq: _, ...version }) => version)
  return { cursor, tasks, notes, versions: ordered, deleted: inOrder, settings: [settings] }
}

onEveryServer('an export', ({ engine, server }) => {
  let origin: string
  let large: TestUser
  beforeAll(async () => {
    large = await newLargeUser(server)
    origin = await listen(server.app)
  })

  test('has what the calls answer, at their cursor, and each text of a note as a file', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        const user = await server.newUser()
        await runScript(user, script)
        const { manifest, linesOf, texts } = await exportedBy(server.app, user)
        const { cursor, ...expected } = await answered(user)
        const names = Object.keys(expected)
        expect(Object.fromEntries(names.map((name) => [name, linesOf(name)]))).toEqual(expected)
        expect(manifest.cursor).toBe(cursor)
        const files = [...texts].filter(([name]) => name.startsWith('notes/')).map(([, content]) => content)
        expect(files).toEqual(expected.notes.map((note) => (note as { text: string }).text))
      }),
      { numRuns: rounds(40, 5) },
    )
  })

  test('has the changes with the names of fields, and their values before', async () => {
    const user = await server.newUser()
    const { _id: item } = await user.addTask({ title: 'Tea', dueDate: null })
    await user.send({ item, set: { title: 'Green tea', dueDate: '2026-11-21' } })
    await user.send({ item, set: { title: 'Green tea' } })
    await user.send({ item, set: { deleted: true } })
    await user.undo(2)
    const history = async () => (await exportedBy(server.app, user)).linesOf('history')
    expect(await history()).toMatchObject([
      { seq: 1, change: 'added', kind: 'task', item, by: '' },
      { seq: 2, change: 'edited', fields: ['title', 'dueDate'], before: { title: 'Tea', dueDate: null } },
      { seq: 4, change: 'edited', fields: ['deletedAt'], before: { deletedAt: null } },
      { seq: 5, change: 'edited', undoes: 2, before: { title: 'Green tea', dueDate: '2026-11-21' } },
    ])
    await user.purge(item)
    const purged = await history()
    expect(purged.map(({ change }) => change)).toEqual(['added', 'edited', 'edited', 'edited', 'removed'])
    expect(JSON.stringify(purged)).not.toMatch(/tea/i)
  })

  test('has the state of one cursor, whatever is changed while it is written', async () => {
    const user = await server.newUser()
    const items = Array.from({ length: 30 }, () => newId())
    const all = (set: object, kind = 'task') => items.map((item) => ({ item, kind, set }))
    await user.send(...all({ title: 'Before', body: 'x'.repeat(20_000), dueDate: null, priority: 'low' }))
    const note = newId()
    await user.send({ item: note, kind: 'note', base: 0, set: { text: 'Before' } })
    const expected = await answered(user)
    const parts: Buffer[] = []
    const output = new Writable({
      highWaterMark: 1,
      async write(part, _encoding, done) {
        if (parts.length === 0) {
          await user.send(...all({ title: 'After' }))
          await user.send(...all({ deleted: true }))
          await user.call('POST /items/purge', { body: { items } })
          await user.send({ item: note, kind: 'note', base: 31, set: { text: 'After' } })
        }
        parts.push(part)
        done()
      },
    })
    await writeExport(server.database, user.id, output, { signal: new AbortController().signal })
    const { manifest, linesOf } = await filesIn(Buffer.concat(parts))
    expect(manifest.cursor).toBe(expected.cursor)
    expect(linesOf('tasks')).toEqual(expected.tasks)
    expect(linesOf('notes')).toEqual(expected.notes)
    expect(manifest.counts).toMatchObject({ tasks: 30, notes: 1, deleted: 0, history: 31 })
  })

  test('has nothing of another account, no credential and nothing that a credential is made of', async () => {
    const [ada, eve] = [await server.newUser(), await server.newUser()]
    for (const [user, secret] of [
      [ada, 'Mine'],
      [eve, 'Secret'],
    ] as const) {
      await user.addTask({ title: secret })
      const { _id: item } = await user.addNote(secret)
      await user.send({ item, kind: 'note', base: 2, set: { text: `${secret} too` }, group: newId() })
    }
    const { texts } = await exportedBy(server.app, ada)
    const all = [...texts.values()].join('\n')
    expect(all).toContain('Mine')
    const { password_hash } = await accountOf(server.database, ada.id)
    for (const secret of ['Secret', ada.token, hashOf(ada.token).slice(0, 32), ada.id, password_hash])
      expect(all).not.toContain(secret)
  })

  const statusOf = async (key: string, where = server) => {
    const answer = await where.call(`GET /export?key=${key}`)
    return [answer.status, answer.json.code]
  }
  const over = [410, 'export-address-over']

  test('is downloaded once by its address, within a minute, and not after another one was begun', async () => {
    const user = await server.newUser()
    const start = async () => (await user.call('POST /export')).json.export
    const first = await start()
    const { key } = await start()
    expect(await statusOf(first.key)).toEqual(over)
    expect((await statusOf(key))[0]).toBe(200)
    expect(await statusOf(key)).toEqual(over)
    const { key: late, id } = await start()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect(await statusOf(late)).toEqual(over)
    expect((await user.call(`GET /export/${id}`)).status).toBe(404)
    vi.useRealTimers()
  })

  test('has an address that is stored as a hash, is no token, and does not work with the id of another user', async () => {
    const [ada, eve] = [await server.newUser(), await server.newUser()]
    const { key } = (await ada.call('POST /export')).json.export
    expect(JSON.stringify(await allRows(server.database))).not.toContain(key)
    for (const call of ['GET /changes', 'POST /export', 'GET /account'])
      expect((await server.call(call, { token: key })).json.code).toBe('scope-too-narrow')
    const bytes = Buffer.from(key, 'base64url')
    Buffer.from(eve.token, 'base64url').copy(bytes, 0, 0, 16)
    for (const forged of [bytes.toString('base64url'), ada.token, '', 'x'])
      expect(await statusOf(forged)).toEqual(over)
    expect((await statusOf(key))[0]).toBe(200)
  })

  /** Returns a user whose export is larger than all buffers between the server and a client that does not read. */
  async function newLargeUser(where: TestServer) {
    const user = await where.newUser()
    const newNote = () => ({
      ...{ kind: 'note', item: newId(), base: 0 },
      set: { text: randomBytes(67_000).toString('base64') },
    })
    for (let sent = 0; sent < 12; sent++) await user.send(...Array.from({ length: 10 }, newNote))
    return user
  }

  /** Begins a download and reads its first part. */
  async function download(user: Pick<TestUser, 'call'>, address = origin) {
    const { id, key } = (await user.call('POST /export')).json.export
    const response = await fetch(`${address}${apiBase}/export?key=${key}`)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    const rest = async () => {
      while (!(await reader.read()).done);
    }
    return { id, rest, leave: () => reader.cancel() }
  }

  const exportsOf = async (user: TestUser) => {
    const rows = server.database.read
      .selectFrom('credentials')
      .select('percent')
      .where('user_id', '=', user.id)
    return (await rows.where('scope', '=', 'export').execute()).map(({ percent }) => percent)
  }

  test('frees everything when its client leaves: its place, its snapshot, and its credential', async () => {
    // One network has one of two places.
    const small = await serverForTest(server.url, {}, { exports: 2 })
    const other = await small.newUser()
    const running = await download(large, await listen(small.app))
    await eventually(() => snapshotsOf()).toBe(1)
    const { key } = (await other.call('POST /export')).json.export
    expect(await statusOf(key, small)).toEqual([503, 'too-many-exports'])
    await running.leave()
    await eventually(() => exportsOf(large)).toEqual([])
    await eventually(() => snapshotsOf()).toBe(0)
    expect(await statusOf(key, small)).toEqual([200, undefined])
  })

  test('ends when its user cancels it, and nobody else can', async () => {
    const [user, eve] = [large, await server.newUser()]
    const { id, rest } = await download(user)
    await eventually(() => exportsOf(user)).not.toEqual([0])
    const { percent } = (await user.call(`GET /export/${id}`)).json.export
    expect(percent).toSatisfy((part: number) => part > 0 && part < 100)
    for (const method of ['GET', 'DELETE'])
      expect((await eve.call(`${method} /export/${id}`)).status).toBe(404)
    expect((await user.call(`DELETE /export/${id}`)).status).toBe(200)
    await expect(rest()).rejects.toThrow()
    expect((await user.call(`GET /export/${id}`)).status).toBe(404)
    await eventually(() => snapshotsOf()).toBe(0)
  })

  /** Stores these values in the row of a credential. */
  const setRow = (table: 'credentials' | 'sessions', token: string, values: object) =>
    server.database.write((db) =>
      db.updateTable(table).set(values).where('token_hash', '=', hashOf(token)).execute(),
    )
  const unused = { last_used_at: Date.now() - 100 * 86_400_000 }

  /** The ways in which a credential ends, each with a new credential of this user. */
  const endings: Record<string, (user: TestUser) => Promise<{ token: string; end: () => unknown }>> = {
    async 'a token is revoked'(user) {
      const { id, token } = await user.newToken('read')
      return { token, end: () => user.call(`DELETE /tokens/${id}`) }
    },
    async 'a token expires'(user) {
      const { token } = await user.newToken('read')
      return { token, end: () => setRow('credentials', token, { expires_at: Date.now() }) }
    },
    async 'its session logs out'(user) {
      const { token, call } = await user.newSession()
      return { token, end: () => call('POST /user/logout') }
    },
    async 'another session ends all others'(user) {
      const { token } = await user.newSession()
      return { token, end: () => user.call('DELETE /account/sessions') }
    },
    async 'its session was not used for long'(user) {
      const { token } = await user.newSession()
      return { token, end: () => setRow('sessions', token, unused) }
    },
  }

  test.each(Object.entries(endings))(
    'ends with the credential that has begun it when %s: its address opens nothing, and its download stops',
    async (_, credentialOf) => {
      for (const isRunning of [false, true]) {
        const { token, end } = await credentialOf(large)
        const { call } = server.as(token)
        const { rest } = isRunning ? await download({ call }) : {}
        const { key } = isRunning ? { key: '' } : (await call('POST /export')).json.export
        await end()
        if (rest) {
          // The file is larger than all buffers, so it is not complete until the server notices the end.
          await eventually(() => exportsOf(large)).toEqual([])
          await expect(rest()).rejects.toThrow()
        } else expect(await statusOf(key)).toEqual(over)
      }
      expect((await large.call('GET /settings')).status).toBe(200)
    },
  )

  test('does not end with other credentials of its user', async () => {
    const user = await server.newUser()
    const { key } = (await user.call('POST /export')).json.export
    for (const credentialOf of Object.values(endings)) await (await credentialOf(user)).end()
    expect((await statusOf(key))[0]).toBe(200)
  })

  test('is at 100 percent when all of it was sent', async () => {
    const user = await server.newUser()
    const { id, rest } = await download(user)
    await rest()
    await eventually(async () => (await user.call(`GET /export/${id}`)).json.export.percent).toBe(100)
  })

  test('ends at a stop of the server, which does not wait for its client', async () => {
    const stopping = await startTestServer(server.url)
    const { rest } = await download(large, await listen(stopping.app))
    await stopping.close()
    await expect(rest()).rejects.toThrow()
  })

  /**
   * How many connections read a snapshot. On SQLite, whether one does: it keeps a checkpoint from restarting the WAL. Truncating
   * the WAL would look to the servers like another program that has emptied it.
   */
  async function snapshotsOf(): Promise<number> {
    const { database } = server
    if (engine === 'sqlite') {
      const { rows } = await sql<{ file: string }>`pragma database_list`.execute(database.read)
      // The queries of one callback share a snapshot.
      await new Promise(setImmediate)
      using file = new DatabaseSync(rows[0]?.file ?? '')
      return Number(file.prepare('pragma wal_checkpoint(restart)').get()?.busy)
    }
    const inPostgres = sql<{ count: number }>`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`
    return Number((await inPostgres.execute(database.read)).rows[0]?.count)
  }
})
