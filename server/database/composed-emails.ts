import type { Db } from './schema.ts'

/** Stores the emails of locked users in the form NFC. One whose form another account has stays as it was typed. */
export async function composeEmails(db: Db, accounts: { email: string; user_id: string }[]): Promise<void> {
  const composed = new Map(accounts.map((account) => [account.email.normalize('NFC'), account]))
  if (composed.size === 0) return
  const moved = await db
    .insertInto('accounts')
    .values([...composed].map(([email, { user_id }]) => ({ email, user_id })))
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(['email', 'user_id'])
    .execute()
  for (const { email, user_id } of moved) {
    await db
      .deleteFrom('accounts')
      .where('email', '=', composed.get(email)?.email ?? '')
      .execute()
    await db.updateTable('users').set({ email }).where('id', '=', user_id).execute()
  }
}

export const isComposed = (email: string) => email === email.normalize('NFC')
