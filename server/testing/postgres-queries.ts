import { sql } from 'kysely'
import pg from 'pg'
import { onTestFinished, vi } from 'vitest'
import type { Db } from '../database/schema.ts'

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

/** Fails a statement with this code of an error. */
export const fail = (db: Db, code: string) =>
  sql`do ${sql.lit(`begin raise exception 'forced' using errcode = '${code}'; end`)}`.execute(db)
