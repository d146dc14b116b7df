import { expect, onTestFinished, test, vi } from 'vitest'
import { sweepChanges } from './changes/sweep-changes.ts'
import type { Database } from './database/database.ts'
import { deleteInBatches } from './database/expired-rows.ts'
import { newId } from './new-id.ts'
import { insertVersion, thinVersions } from './notes/note-versions.ts'
import { sweepSessions } from './sessions/session-queries.ts'
import { migratedDatabase, onEveryEngine, onPostgres } from './testing/engines.ts'
import { addUser, openTestDatabase } from './testing/open-test-database.ts'
import { allRows } from './testing/rows.ts'
import { rowsChangedByWrites } from './testing/rows-changed.ts'
import { insertRows } from './testing/stored-rows.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'
import { deleteClosedAccounts } from './users/account-deletion.ts'
import { sweepAttempts } from './users/attempts.ts'

const day = 86_400_000
const many = 1200

onEveryEngine('the sweep of expired data', (engine) => {
  test('deletes expired rows after the start, a limited number per transaction, and no others', async () => {
    const server = await startTestServer(engine)
    const user = await server.newUser()
    const { users = [], sessions = [] } = await allRows(server.database)
    const { id: user_id } = JSON.parse(users[0] ?? '')
    const now = Date.now()
    const rows = <T>(make: (index: number) => T) => Array.from({ length: many }, (_, index) => make(index))
    const session = (index: number) => ({
      ...{ token_hash: newId(), user_id, created_at: now - 400 * day },
      last_used_at: now - (index % 2) * 400 * day,
    })
    const attempt = { count: 1, since: now - day, last_at: now - day }
    const expired = rows(() => ({ ...attempt, key: newId() }))
    const recent = { key: 'recent', count: 1, since: now, last_at: now }
    await insertRows(server.database, 'sessions', rows(session))
    await insertRows(server.database, 'attempts', [...expired, recent])

    const changed = rowsChangedByWrites(engine, server.database)
    await server.app.listen({ host: '127.0.0.1', port: 0 })
    const attempts = (await allRows(server.database)).attempts?.filter((row) => !row.includes(`${now - day}`))
    await expect.poll(async () => (await allRows(server.database)).attempts).toEqual(attempts)
    expect((await allRows(server.database)).sessions).toEqual(sessions)
    expect((await allRows(server.database)).attempts?.join()).toContain('recent')
    expect(Math.max(...changed)).toBe(500)
    expect(await user.isValid()).toBe(true)
    await server.close()
  })

  test('does not delay the start', async () => {
    const server = await startTestServer(engine)
    const { write } = server.database
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const held = vi.spyOn(server.database, 'write').mockImplementation(async (work) => {
      await released
      return write(work)
    })
    const address = await server.app.listen({ host: '127.0.0.1', port: 0 })
    await expect.poll(() => held).toHaveBeenCalled()
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    release()
    await server.close()
  })
})

onEveryEngine('several servers that sweep at the same time', (engine) => {
  test('delete all expired rows and no others', async () => {
    const url = await migratedDatabase(engine)
    const servers = [await startTestServer(url), await startTestServer(url), await startTestServer(url)]
    const [{ database }] = servers as [TestServer]
    const [now, old] = [Date.now(), Date.now() - day]
    const row = (at: number) => ({ key: newId(), count: 1, since: at, last_at: at })
    const recent = Array.from({ length: 20 }, () => row(now))
    const expired = Array.from({ length: 4 * many }, () => row(old))
    await insertRows(database, 'attempts', [...expired, ...recent])
    const warnings = servers.map(({ app }) => vi.spyOn(app.log, 'warn'))
    await Promise.all(servers.map(({ app }) => app.listen({ host: '127.0.0.1', port: 0 })))
    const keys = async () => {
      const rows = await database.read.selectFrom('attempts').select('key').execute()
      return rows.map(({ key }) => key).sort()
    }
    await expect.poll(keys).toEqual(recent.map(({ key }) => key).sort())
    await Promise.all(servers.map((server) => server.close()))
    for (const warning of warnings) expect(warning).not.toHaveBeenCalled()
  })
})

test('several servers do not sweep users in the same order: they would wait for each other, and do everything twice', async () => {
  const database = await openTestDatabase('sqlite')
  onTestFinished(database.close)
  await database.write(async (db) => {
    for (let i = 0; i < 400; i++) {
      const id = await addUser(db)
      if (i % 2)
        await db.updateTable('users').set({ closed_at: i, trim_at: 0 }).where('id', '=', id).execute()
      else await insertVersion(db, { ...versionOf(id), at: i })
    }
  })
  /** The first users whose data a server would change. */
  async function firstOf(sweep: (server: Database, stop: AbortSignal) => Promise<void>) {
    const stop = new AbortController()
    const users: unknown[] = []
    const write = async (_work: unknown, user?: string) => {
      if (users.push(user) === 10) stop.abort()
    }
    await sweep({ ...database, write: write as Database['write'] }, stop.signal)
    return users
  }
  const now = Date.now()
  const sweeps: Parameters<typeof firstOf>[0][] = [
    deleteClosedAccounts,
    (server, stop) => sweepChanges(server, [], now + 40 * day, stop),
    (server, stop) => thinVersions(server, now, stop),
  ]
  for (const sweep of sweeps) expect(await firstOf(sweep)).not.toEqual(await firstOf(sweep))
})

const versionOf = (user_id: string) => ({
  ...{ user_id, seq: 1, note_id: newId(), device: '', by: '', thinned: 0, text: '' },
})

test('PostgreSQL finds expired rows by an index: the sweep reads no table from its beginning to its end', async () => {
  const database = await openTestDatabase('postgres')
  await database.write((db) => addUser(db))
  const [now, old] = [Date.now(), Date.now() - 40 * day]
  await onPostgres(
    database.url,
    `insert into sessions (token_hash, user_id, created_at, last_used_at)
      select 'hash ' || i, id, case when i < 700 then ${old} else ${now} end, ${now}
      from users, generate_series(1, 50000) i;
    insert into attempts (key, count, since, last_at)
      select case when i % 2 = 0 then 'known ' else 'login ' end || i, 1,
        case when i < 1400 then ${old} else ${now} end, ${now} from generate_series(1, 50000) i;
    insert into guesses (user_id, key, count, since, last_at)
      select gen_random_uuid(), case when i % 2 = 0 then 'known ' else 'login ' end || i, 1,
        case when i < 1400 then ${old} else ${now} end, ${now} from generate_series(1, 50000) i;
    analyze`,
  )
  const deleteRows = deleteInBatches(database, 500, new AbortController().signal)
  await sweepSessions(deleteRows, { idle: 7 * day, max: 30 * day }, now)
  await sweepAttempts(deleteRows, now, { known: 30 * day, other: day })
  // The statistics of a connection are complete once it has ended.
  await database.close()
  await expect
    .poll(() =>
      onPostgres(
        database.url,
        `select n_tup_del::int as deleted, seq_tup_read::int as read from pg_stat_user_tables
            where relname in ('sessions', 'attempts', 'guesses') order by relname`,
      ),
    )
    .toEqual([
      { deleted: 1399, read: 0 },
      { deleted: 1399, read: 0 },
      { deleted: 699, read: 0 },
    ])
})
