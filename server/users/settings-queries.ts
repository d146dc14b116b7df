import { sql } from 'kysely'
import { defaultSettings, type Settings } from '#contract/settings.ts'
import type { Db } from '../database/schema.ts'

/** Returns undefined if the account is closed. */
export async function findSettings(db: Db, owner: string): Promise<Settings | undefined> {
  const user = await db
    .selectFrom('users')
    .select('settings')
    .where('id', '=', owner)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return user && parse(user.settings)
}

/** Changes some settings and returns all of them. Two devices that change different ones at once both succeed. */
export async function changeSettings(
  db: Db,
  owner: string,
  change: Partial<Settings>,
): Promise<Settings | undefined> {
  // All engines lock a row on update, even if the update changes nothing.
  const user = await db
    .updateTable('users')
    .set({ settings: sql.ref('settings') })
    .where('id', '=', owner)
    .where('closed_at', 'is', null)
    .returning('settings')
    .executeTakeFirst()
  if (!user) return undefined
  const settings = { ...JSON.parse(user.settings), ...change }
  await db
    .updateTable('users')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', owner)
    .execute()
  return { ...defaultSettings, ...settings }
}

const parse = (text: string): Settings => ({ ...defaultSettings, ...JSON.parse(text) })
