import type { Kysely } from 'kysely'
import type { Db } from '../schema.ts'

const rowsPerPage = 1000

/** Stores emails in the form NFC. One whose form another account has stays as it is, and so is found as it was typed. */
export async function up(untyped: Kysely<unknown>) {
  const db = untyped as Db
  let last: string | undefined = ''
  while (last !== undefined) {
    const accounts = await db
      .selectFrom('accounts')
      .select(['email', 'user_id'])
      .where('email', '>', last)
      .orderBy('email')
      .limit(rowsPerPage)
      .execute()
    for (const { email, user_id } of accounts) {
      const composed = email.normalize('NFC')
      if (composed === email) continue
      const moved = await db
        .insertInto('accounts')
        .values({ email: composed, user_id })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .returning('email')
        .executeTakeFirst()
      if (!moved) continue
      await db.deleteFrom('accounts').where('email', '=', email).execute()
      await db.updateTable('users').set({ email: composed }).where('id', '=', user_id).execute()
    }
    last = accounts.length === rowsPerPage ? accounts.at(-1)?.email : undefined
  }
}
