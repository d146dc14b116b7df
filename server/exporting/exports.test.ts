import { DatabaseSync } from 'node:sqlite'
import { Writable } from 'node:stream'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { newId } from '../new-id.ts'
import { hashOf } from '../sessions/token.ts'
import { exportedBy, filesIn, longNotes } from '../testing/exported-files.ts'
import { runScript, scripts } from '../testing/random-script.ts'
import { eventually, listen } from '../testing/raw-client.ts'
import { rounds } from '../testing/rounds.ts'
import { allRows } from '../testing/rows.ts'
import { accountOf } from '../testing/stored-rows.ts'
import type { TestClient } from '../testing/test-client.ts'
import { onEveryServer, serverForTest, startTestServer, type TestUser } from '../testing/test-server.ts'
import { writeExport } from './write-export.ts'

const withoutVersion = ({ version: _, ...item }: { version: number }) => item

/** What the calls answer, in the form of the files. */
async function answered(user: TestUser) {
  const { items, cursor } = await user.changes()
  const [tasks, notes, versions] = [[] as object[], [] as object[], [] as { seq: number; note: string }[]]
  const deleted: object[] = []
  const placeOf = ({ kind, item }: (typeof items)[number]) => `${kind === 'task' ? 0 : 1} ${item._id}`
  for (const { kind, item } of items.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))) {
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
  const settings = (await user.call('GET /settings')).json.settings
  versions.sort((one, other) => one.seq - other.seq)
  const ordered = versions.map(({ seq: _, ...version }) => version)
  return { cursor, tasks, notes, versions: ordered, deleted, settings: [settings] }
}

onEveryServer('an export', ({ engine, server }) => {
  let origin: string
  /** A user whose export is larger than all buffers between the server and a client that does not read. */
  let large: TestUser
  beforeAll(async () => {
    large = await server.newUser()
    for (let sent = 0; sent < 12; sent++) await large.send(...longNotes())
    origin = await listen(server.app)
  })

  test('has what the calls answer, at their cursor, and each text of a note as a file', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        const user = await server.newUser()
        await runScript(user, script)
        const { manifest, linesOf, texts } = await exportedBy(server.app, user)
        const { cursor, ...expected } = await answered(user)
        const found = Object.keys(expected).map((name) => [name, linesOf(name)])
        expect({ cursor: manifest.cursor, ...Object.fromEntries(found) }).toEqual({ cursor, ...expected })
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
    const found = { cursor: manifest.cursor, tasks: linesOf('tasks'), notes: linesOf('notes') }
    expect(expected).toMatchObject(found)
    expect(manifest.counts).toMatchObject({ tasks: 30, notes: 1, deleted: 0, history: 31 })
  })

  test('has nothing of another account, no credential and nothing that a credential is made of', async () => {
    const [ada, eve] = [await server.newUser(), await server.newUser()]
    const store = async (user: TestUser, text: string) => {
      await user.addTask({ title: text })
      const { _id: item } = await user.addNote(text)
      await user.send({ item, kind: 'note', base: 2, set: { text: `${text} too` }, group: newId() })
    }
    await store(ada, 'Mine')
    await store(eve, 'Secret')
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
  const start = async ({ call }: Pick<TestUser, 'call'>) => (await call('POST /export')).json.export

  test('is downloaded once by its address, within a minute, and not after another one was begun', async () => {
    const user = await server.newUser()
    const first = await start(user)
    const { key } = await start(user)
    expect(await statusOf(first.key)).toEqual(over)
    expect((await statusOf(key))[0]).toBe(200)
    expect(await statusOf(key)).toEqual(over)
    const { key: late, id } = await start(user)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect(await statusOf(late)).toEqual(over)
    expect((await user.call(`GET /export/${id}`)).status).toBe(404)
    vi.useRealTimers()
  })

  test('has an address that is stored as a hash, is no token, and does not work with the id of another user', async () => {
    const [ada, eve] = [await server.newUser(), await server.newUser()]
    const { key } = await start(ada)
    expect(JSON.stringify(await allRows(server.database))).not.toContain(key)
    for (const call of ['GET /changes', 'POST /export', 'GET /account'])
      expect((await server.call(call, { token: key })).json.code).toBe('scope-too-narrow')
    const bytes = Buffer.from(key, 'base64url')
    Buffer.from(eve.token, 'base64url').copy(bytes, 0, 0, 16)
    for (const forged of [bytes.toString('base64url'), ada.token, '', 'x'])
      expect(await statusOf(forged)).toEqual(over)
    expect((await statusOf(key))[0]).toBe(200)
  })

  /** Begins a download and reads its first part. */
  async function download(user: Pick<TestUser, 'call'>, address = origin) {
    const { id, key } = await start(user)
    const response = await fetch(`${address}${apiBase}/export?key=${key}`)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    const rest = async () => {
      while (!(await reader.read()).done);
    }
    return { id, rest, leave: () => reader.cancel() }
  }

  const exportsOf = async ({ id }: TestUser) => {
    const credentials = server.database.read.selectFrom('credentials').select('percent')
    const rows = credentials.where('user_id', '=', id).where('scope', '=', 'export')
    return (await rows.execute()).map(({ percent }) => percent)
  }

  test('frees everything when its client leaves: its place, its snapshot, and its credential', async () => {
    // One network has one of two places.
    const small = await serverForTest(server.url, {}, { exports: 2 })
    const other = await small.newUser()
    const running = await download(large, await listen(small.app))
    await eventually(() => snapshotsOf()).toBe(1)
    const { key } = await start(other)
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

  /** The ways in which a new credential of this user ends. */
  const endings: Record<
    string,
    [isSession: boolean, end: (own: TestClient, id: string, user: TestUser) => unknown]
  > = {
    'a token is revoked': [false, (_, id, { call }) => call(`DELETE /tokens/${id}`)],
    'a token expires': [false, ({ token }) => setRow('credentials', token, { expires_at: Date.now() })],
    'its session logs out': [true, ({ call }) => call('POST /user/logout')],
    'another session ends all others': [true, (_, __, { call }) => call('DELETE /account/sessions')],
    'its session was not used for long': [true, ({ token }) => setRow('sessions', token, unused)],
  }

  /** A new credential of a user, and what ends it. */
  async function credentialOf(user: TestUser, [isSession, end]: (typeof endings)[string]) {
    const { id, token } = isSession ? { id: '', ...(await user.newSession()) } : await user.newToken('read')
    const own = server.as(token)
    return { call: own.call, end: () => end(own, id, user) }
  }

  test.each(Object.entries(endings))(
    'ends with the credential that has begun it when %s: its address opens nothing, and its download stops',
    async (_, ending) => {
      for (const isRunning of [false, true]) {
        const { call, end } = await credentialOf(large, ending)
        const { rest } = isRunning ? await download({ call }) : {}
        const { key } = isRunning ? { key: '' } : await start({ call })
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
    const { key } = await start(user)
    for (const ending of Object.values(endings)) await (await credentialOf(user, ending)).end()
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
