import { generateKeyPairSync, randomBytes, type webcrypto } from 'node:crypto'
import type { Database } from '../database/database.ts'
import type { Db } from '../database/schema.ts'

/** The keys of all servers on a database, and whether they send. */
export type PushKeys = {
  vapid: webcrypto.JsonWebKey
  /** The public key of VAPID, uncompressed, in base64url. */
  publicKey: string
  secret: Buffer
  isOn: boolean
  notBefore: number
}

const known = new WeakMap<Db, PushKeys>()

/** Reads the keys. The first server on a database makes them. */
export async function loadPushKeys(database: Database): Promise<PushKeys> {
  const keys = (await findPushKeys(database.read)) ?? (await database.write(insertKeys))
  known.set(database.read, keys)
  return keys
}

/** Returns the keys as they were read last. They do not change, but whether the servers send does. */
export const knownPushKeys = (database: Database) => known.get(database.read) ?? loadPushKeys(database)

export async function findPushKeys(db: Db): Promise<PushKeys | undefined> {
  const row = await db.selectFrom('push').selectAll().where('id', '=', 1).executeTakeFirst()
  if (!row) return undefined
  const vapid = JSON.parse(row.vapid) as webcrypto.JsonWebKey
  const [x, y] = [vapid.x, vapid.y].map((part) => Buffer.from(part as string, 'base64url'))
  return {
    vapid,
    publicKey: Buffer.concat([Buffer.of(4), x as Buffer, y as Buffer]).toString('base64url'),
    secret: Buffer.from(row.secret, 'base64url'),
    isOn: row.is_on === 1,
    notBefore: row.not_before,
  }
}

async function insertKeys(db: Db): Promise<PushKeys> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const vapid = JSON.stringify(privateKey.export({ format: 'jwk' }))
  const secret = randomBytes(32).toString('base64url')
  await db
    .insertInto('push')
    .values({ id: 1, vapid, secret, is_on: 1, not_before: 0 })
    // Another server was first.
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return (await findPushKeys(db)) as PushKeys
}

/** Lets the servers on a database send, or not. Reminders from before are not sent any more. */
export async function setSending(db: Db, isOn: boolean, now: number) {
  await db
    .updateTable('push')
    .set({ is_on: Number(isOn), not_before: now })
    .execute()
}
