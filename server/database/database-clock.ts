import { sql } from 'kysely'
import { isSqlite } from './engine-sql.ts'
import type { Db } from './schema.ts'

/**
 * Returns the time of the database's clock in milliseconds since 1970, which is the same for all servers on it. That of a file is the
 * machine's.
 */
export async function databaseNow(db: Db): Promise<number> {
  if (isSqlite(db)) return Date.now()
  const clock = sql<{
    now: number
  }>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`
  return (await clock.execute(db)).rows[0]?.now as number
}

/**
 * Follows a clock that answers questions. Between them, `now` is never behind it by a pause of this process: the time since the question is
 * that of the machine's clock or of its time since the start, whichever is more.
 */
export function followedClock(ask: () => Promise<number>) {
  let [last, wall, steady] = [Number.POSITIVE_INFINITY, 0, 0]
  let asked: Promise<number> | undefined

  async function question() {
    const began = [Date.now(), performance.now()] as const
    const answer = await ask()
    ;[last, wall, steady] = [answer, ...began]
    return answer
  }

  return {
    /** Those who ask at once share a question. */
    ask: () => {
      asked ??= question().finally(() => {
        asked = undefined
      })
      return asked
    },
    now: () => last + Math.max(Date.now() - wall, performance.now() - steady),
  }
}
