import { type Settings, settingsWith } from '#contract/settings.ts'
import { type RemindersDue, remindersDue } from '../database/reminders-due.ts'
import type { Db } from '../database/schema.ts'
import { firstId } from '../new-id.ts'
import { findUser, lockAccount } from '../sessions/account-state.ts'

/**
 * Changes some settings and returns all of them. Two devices that change different ones at once both succeed. If
 * reminders depend on a changed one, their jobs are computed anew.
 */
export async function changeSettings(db: Db, owner: string, change: Partial<Settings>): Promise<Settings> {
  await lockAccount(db, owner)
  const { settings: stored } = await findUser(db, owner, ['settings'])
  const before = settingsWith(JSON.parse(stored))
  const { zone, ...rest } = change
  // The zone of a page does not replace one that was chosen by hand.
  const isZoneKept = zone === undefined || (before.zonePinned && change.zonePinned === undefined)
  const settings = { ...JSON.parse(stored), ...rest, ...(!isZoneKept && { zone }) }
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
