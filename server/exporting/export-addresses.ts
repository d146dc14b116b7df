import { exportAddressLife } from '#contract/exports.ts'
import type { Db } from '../database/schema.ts'
import { HttpError } from '../errors.ts'
import { uuidOf } from '../new-id.ts'
import { hashOf, idOf, newToken, type SessionKey } from '../sessions/token.ts'
import { lockUser } from '../users/user-queries.ts'

// An export is a credential until its address is used. Its row stays while the export runs, so that each server knows how far it is
// and can end it, and everything that ends the credentials of an account ends its exports.

const scope = 'export'

/** How long a row stays after its last report, in milliseconds. */
const reportLife = 60_000

const exportsOf = (db: Db, userId: string) =>
  db.selectFrom('sessions').where('user_id', '=', userId).where('scope', '=', scope)

/** Returns the id of a new export and the key of its address. An earlier export of the user ends. */
export async function startExport(db: Db, userId: string, now: number) {
  const key = newToken(userId)
  const token_hash = hashOf(key)
  if (!(await lockUser(db, userId))) throw new HttpError('account-gone')
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('scope', '=', scope).execute()
  await db
    .insertInto('sessions')
    .values({
      ...{ user_id: userId, token_hash, scope },
      ...{ created_at: now, last_used_at: now, expires_at: now + exportAddressLife },
    })
    .execute()
  return { id: uuidOf(idOf(token_hash)), key }
}

/** Uses an address. Returns false if it was used before, or is not valid or no longer. */
export async function useAddress(db: Db, key: SessionKey, now: number): Promise<boolean> {
  const used = await ofKey(db, key, { name: '0', now })
    .where('name', '=', '')
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  return used !== undefined
}

/** Stores how much of an export was sent, in percent. Returns false if the export was ended. */
export async function reportExport(db: Db, key: SessionKey, percent: number, now: number): Promise<boolean> {
  const found = await ofKey(db, key, { name: String(percent), now })
    .returning('user_id')
    .executeTakeFirst()
  return found !== undefined
}

const ofKey = (db: Db, { userId, tokenHash }: SessionKey, { name, now }: { name: string; now: number }) =>
  db
    .updateTable('sessions')
    .set({ name, expires_at: now + reportLife })
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .where('scope', '=', scope)

/** Returns the user's export with this id, unless it has ended or its last report is old. */
export async function findExport(db: Db, userId: string, id: string, now: number) {
  const rows = await exportsOf(db, userId)
    .select(['token_hash', 'name'])
    .where('expires_at', '>', now)
    .execute()
  const found = rows.find(({ token_hash }) => uuidOf(idOf(token_hash)) === id)
  if (!found) throw new HttpError('no-such-export')
  return { key: { userId, tokenHash: found.token_hash }, percent: Number(found.name) }
}
