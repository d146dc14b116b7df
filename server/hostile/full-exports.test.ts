import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openDatabase } from '../database/open-database.ts'
import { sessionKeyOf } from '../sessions/token.ts'
import { migratedDatabase, onEveryEngine } from '../testing/engines.ts'
import { freePort } from '../testing/free-port.ts'
import { type ServerProcess, startServer } from '../testing/server-process.ts'

const mebibyte = 2 ** 20
/** The notes have 860 MiB of the 1 GiB of the quota. */
const [notes, noteBytes, tasks] = [10_000, 90_000, 20_000]

// Takes minutes, so it runs in `npm run torture` alone.
onEveryEngine('the export of an account at its quota', (engine) => {
  let server: ServerProcess
  let metrics: string
  let token: string

  beforeAll(async () => {
    if (!process.env.TORTURE) return
    const url = await migratedDatabase(engine)
    const port = await freePort()
    metrics = `http://127.0.0.1:${port}/metrics`
    // A heap that could not hold the tenth part of it.
    server = await startServer({
      DATABASE_URL: url.href,
      METRICS_PORT: String(port),
      NODE_OPTIONS: '--max-old-space-size=96',
    })
    const body = { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' }
    token = (await server.call('POST /user/register', { body })).json.token
    const database = await openDatabase(url, readConfig({ POSTGRES_STATEMENT_SECONDS: '60' }).database)
    const owner = sessionKeyOf(token)?.userId ?? ''
    const [words, id, series] =
      engine === 'sqlite'
        ? [
            (bytes: number) => sql`lower(hex(randomblob(${sql.lit(bytes / 2)})))`,
            sql`printf('01a1fbec-0000-7000-8000-%012x', n)`,
            (count: number) =>
              sql`(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${sql.lit(count)}) select n from s)`,
          ]
        : [
            (bytes: number) =>
              sql`(select string_agg(md5(n || '-' || m), '') from generate_series(1, ${sql.lit(Math.floor(bytes / 32))}) m)`,
            sql`('01a1fbec-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`,
            (count: number) => sql`(select n from generate_series(1, ${sql.lit(count)}) n)`,
          ]
    const batch = 500
    for (let from = 0; from < notes; from += batch)
      await database.write((db) =>
        sql`insert into notes (user_id, id, version, created_at, pinned, deleted_at, changed_at, saved_seq, saved_by, saved_by_name, version_since, title, snippet, folded, text)
          select ${owner}, ${id}, 0, 0, 0, null, 0, 0, '', '', 0, 'Note', '', '', ${words(noteBytes)}
          from (select n + ${sql.lit(from)} as n from ${series(batch)} as s) as t`.execute(db),
      )
    for (let from = 0; from < tasks; from += 10 * batch)
      await database.write((db) =>
        sql`insert into tasks (user_id, id, version, created_at, title, due_date, priority, done_at, deleted_at, folded, body)
          select ${owner}, ${id}, 0, 0, 'Task', '2026-11-21', 1, null, null, '', ${words(640)}
          from (select n + ${sql.lit(from + notes)} as n from ${series(10 * batch)} as s) as t`.execute(db),
      )
    await database.close()
  })
  afterAll(() => server?.stop())

  const memory = async () =>
    Number(/^process_resident_memory_bytes (\S+)/m.exec(await (await fetch(metrics)).text())?.[1])

  test.runIf(process.env.TORTURE)('keeps the memory of the server flat', async () => {
    const { key } = (await server.call('POST /export', { token })).json.export
    const before = await memory()
    const { body, status } = await fetch(`${server.api}/export?key=${key}`)
    expect(status).toBe(200)
    let [received, most, next] = [0, before, 0]
    for await (const part of body as ReadableStream<Uint8Array>) {
      received += part.length
      if (received < next) continue
      next = received + 16 * mebibyte
      most = Math.max(most, await memory())
    }
    // The notes are in the file twice, the second time uncompressed.
    expect(received).toBeGreaterThan(1000 * mebibyte)
    expect(most - before).toBeLessThan(150 * mebibyte)
  })
})
