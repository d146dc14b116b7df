import { sql } from 'kysely'
import pg from 'pg'
import { onTestFinished, vi } from 'vitest'
import type { Db } from '../database/schema.ts'
import { onPostgres } from './engines.ts'

type Watch = (text: string, run: () => Promise<unknown>, values: unknown[]) => unknown

/** Calls a function for each query of this process to PostgreSQL, which runs it, until the test ends. */
export function watchQueries(watch: Watch) {
  const { query } = pg.Client.prototype
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [first, values] = given as [string | { text: string }, unknown[]?]
    const run = async () => await query.apply(this, given as Parameters<typeof query>)
    return watch(typeof first === 'string' ? first : first.text, run, values ?? [])
  } as typeof query)
  onTestFinished(() => spy.mockRestore())
}

/** A connection of its own, until the test ends. */
export async function connectForTest(url: URL): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** Finds the statements that wait for a lock. */
export const waitingForLock =
  "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"

/** Waits until a statement finds rows. */
export const untilFound = (url: URL, statement: string) =>
  vi.waitUntil(async () => (await onPostgres(url, statement)).length > 0, { timeout: 60_000 })

/** Ends all other connections to a database. */
export const endAllOthers = `select pg_terminate_backend(pid, 60000) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

/** Fails a statement with this code of an error. */
export const fail = (db: Db, code: string) =>
  sql`do ${sql.lit(`begin raise exception 'forced' using errcode = '${code}'; end`)}`.execute(db)
