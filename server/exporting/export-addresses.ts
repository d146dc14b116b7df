import { exportAddressLife } from '#contract/exports.ts'
import { uuidOf } from '#contract/fields.ts'
import { lockAccount } from '../changes/locked-account.ts'
import type { Db } from '../database/schema.ts'
import { HttpError } from '../errors.ts'
import { endCredentialsOf, type SessionLife, startCredential } from '../sessions/session-queries.ts'
import { hashOf, idOf, type SessionKey } from '../sessions/token.ts'
import { findSession } from '../sessions/valid-credentials.ts'

// An export is a credential until its address is used. Its row stays while the export runs, so that each server knows how far it is
// and can end it. It ends with the credential that has begun it, and with all credentials of the account.

const scope = 'export'

/** How long a row stays after its last report, in milliseconds. */
const reportLife = 60_000

type Moment = { life: SessionLife; now: number }

const exportsOf = (db: Db, userId: string) =>
  db.selectFrom('credentials').where('user_id', '=', userId).where('scope', '=', scope)

/** Returns the id of a new export of this credential, and the key of its address. An earlier export of the user ends. */
export async function startExport(db: Db, { userId, tokenHash }: SessionKey, { life, now }: Moment) {
  await lockAccount(db, userId)
  if (!(await findSession(db, { userId, tokenHash }, life, now))) throw new HttpError('token-invalid')
  await endCredentialsOf(db, userId, scope)
  const credential = { scope, begun_by: tokenHash, expires_at: now + exportAddressLife }
  const key = await startCredential(db, userId, credential, now)
  return { id: uuidOf(idOf(hashOf(key))), key }
}

/** Uses an address. Returns false if it was used before, or is not valid or no longer. */
export const useAddress = (db: Db, key: SessionKey, moment: Moment) =>
  report(
    db,
    key,
    ofKey(db, key, 0, moment).where('percent', 'is', null).where('expires_at', '>', moment.now),
    moment,
  )

/** Stores how much of an export was sent, in percent. Returns false if the export was ended. */
export const reportExport = (db: Db, key: SessionKey, percent: number, moment: Moment) =>
  report(db, key, ofKey(db, key, percent, moment), moment)

async function report(
  db: Db,
  { userId }: SessionKey,
  update: ReturnType<typeof ofKey>,
  { life, now }: Moment,
): Promise<boolean> {
  const found = await update.returning('begun_by').executeTakeFirst()
  if (!found?.begun_by) return false
  return (await findSession(db, { userId, tokenHash: found.begun_by }, life, now)) !== undefined
}

const ofKey = (db: Db, { userId, tokenHash }: SessionKey, percent: number, { now }: Moment) =>
  db
    .updateTable('credentials')
    .set({ percent, expires_at: now + reportLife })
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .where('scope', '=', scope)

/** Returns the user's export with this id, unless it has ended or its last report is old. */
export async function findExport(db: Db, userId: string, id: string, now: number) {
  const rows = await exportsOf(db, userId)
    .select(['token_hash', 'percent'])
    .where('expires_at', '>', now)
    .execute()
  const found = rows.find(({ token_hash }) => uuidOf(idOf(token_hash)) === id)
  if (!found) throw new HttpError('no-such-export')
  return { key: { userId, tokenHash: found.token_hash }, percent: found.percent ?? 0 }
}
