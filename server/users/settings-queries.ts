import { sql } from 'kysely'
import { type Settings, settingsWith } from '#contract/settings.ts'
import { type RemindersDue, remindersDue } from '../database/reminders-due.ts'
import type { Db } from '../database/schema.ts'
import { firstId } from '../new-id.ts'

/** Returns undefined if the account is closed. */
export async function findSettings(db: Db, owner: string): Promise<Settings | undefined> {
  const user = await db
    .selectFrom('users')
    .select('settings')
    .where('id', '=', owner)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return user && settingsWith(JSON.parse(user.settings))
}

/**
 * Changes some settings and returns all of them. Two devices that change different ones at once both succeed. If
 * reminders depend on a changed one, their jobs are computed anew.
 */
export async function changeSettings(
  db: Db,
  owner: string,
  change: Partial<Settings>,
): Promise<Settings | undefined> {
  // Locks the row.
  const user = await db
    .updateTable('users')
    .set({ settings: sql.ref('settings') })
    .where('id', '=', owner)
    .where('closed_at', 'is', null)
    .returning('settings')
    .executeTakeFirst()
  if (!user) return undefined
  const before = settingsWith(JSON.parse(user.settings))
  const { zone, ...rest } = change
  // The zone of a page does not replace one that was chosen by hand.
  const isZoneKept = zone === undefined || (before.zonePinned && change.zonePinned === undefined)
  const settings = { ...JSON.parse(user.settings), ...rest, ...(!isZoneKept && { zone }) }
  const isSame = (['zone', 'defaultReminder', 'quietFrom', 'quietUntil'] as const).every(
    (name) => before[name] === { ...before, ...settings }[name],
  )
  await db
    .updateTable('users')
    .set({ settings: JSON.stringify(settings), ...(!isSame && { remind_from: firstId }) })
    .where('id', '=', owner)
    .execute()
  if (!isSame) remindersDue.publish({ userId: owner, due: 0 } satisfies RemindersDue)
  return settingsWith(settings)
}
