import { isIP } from 'node:net'
import { userEndpoints } from '#contract/users.ts'
import { CommandError, inOneLine } from '../command.ts'
import { type Config, localAddress } from '../config.ts'
import type { Database } from '../database/database.ts'
import { invalidRequest, validatorCompiler } from '../http/validation.ts'
import { remindersOfAccount } from '../reminders/reminders-of-account.ts'
import { lockUser } from '../sessions/account-state.ts'
import { sessionLife } from '../sessions/authenticate.ts'
import { endCredentials, findOwnSessions } from '../sessions/session-queries.ts'
import { closeAccount, deleteClosedAccounts } from './account-deletion.ts'
import { type Account, addAccount, allAccounts, setDisabled } from './administration.ts'
import { startReset } from './password-reset.ts'
import { findTokens, idOfToken, revokeToken } from './token-queries.ts'
import { normalizeEmail } from './user-queries.ts'

// The actions of `daymark users`. Each returns what it prints.

type Call = { database: Database; config: Config; now: number }

export const onServer = {
  async list({ database }: Call) {
    const lines = [['EMAIL', 'NAME', 'ADDED', 'LAST USE', 'STATE']]
    for await (const { email, name, created_at, last_used_at, disabled_at } of allAccounts(database.read)) {
      const [added, used] = [timeOf(created_at), last_used_at === null ? '-' : timeOf(last_used_at)]
      lines.push([
        inOneLine(email),
        inOneLine(name),
        added,
        used,
        disabled_at === null ? 'enabled' : 'disabled',
      ])
    }
    const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
    return lines
      .map((line) =>
        line
          .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
          .join('  ')
          .trimEnd(),
      )
      .join('\n')
  },
}

export const onEmail = {
  async add({ database, config, now }: Call, typed: string, name = typed.split('@')[0] ?? '') {
    const user = { name: name.trim().normalize('NFC'), email: normalizeEmail(typed) }
    const schema = userEndpoints['POST /user/register'].body
    const isValid = validatorCompiler({ schema, method: 'POST', url: '', httpPart: 'body' })
    if (!isValid({ ...user, password: 'the user chooses it' })) throw invalidRequest(isValid.errors ?? [])
    const token = await addAccount(database, user, now)
    if (!token) throw new CommandError(`${inOneLine(user.email)} has an account already.`)
    return linkText(config, user.email, token)
  },
}

export const onToken = {
  async 'end-token'({ database, now }: Call, { id, email }: Account, token: string) {
    if (!(await database.write((db) => revokeToken(db, id, token, now), id)))
      throw new CommandError(
        `${inOneLine(email)} has no token ${inOneLine(token)}. "users show" lists the tokens.`,
      )
    return `The token ${token} of ${inOneLine(email)} has ended.`
  },
}

export const onAccount = {
  async show({ database, config, now }: Call, account: Account) {
    const [{ read }, life] = [database, sessionLife(config)]
    const sessions = await findOwnSessions(read, account.id, life, now)
    const tokens = await findTokens(read, account.id, now)
    const { subscriptions, toCome } = await remindersOfAccount(read, account.id, life, now)
    const facts = [
      ['Email', inOneLine(account.email)],
      ['Name', inOneLine(account.name)],
      ['Id', account.id],
      ['Added', timeOf(account.created_at)],
      ['Disabled', account.disabled_at === null ? 'no' : `since ${timeOf(account.disabled_at)}`],
      ['Tasks', account.task_count.toLocaleString('en')],
      ['Stored', `${account.stored_bytes.toLocaleString('en')} bytes`],
      ...sessions.map(({ name, created_at, last_used_at }) => [
        'Session',
        `${name || 'Unknown browser'}, since ${timeOf(created_at)}, last used ${timeOf(last_used_at)}`,
      ]),
      ...tokens.map(({ token_hash, name, scope, created_at, last_used_at, expires_at }) => [
        'Token',
        [
          ...[idOfToken(token_hash), inOneLine(name), scope, `since ${timeOf(created_at)}`],
          last_used_at === null ? 'never used' : `last used ${timeOf(last_used_at)}`,
          ...(expires_at === null ? [] : [`until ${timeOf(expires_at)}`]),
        ].join(', '),
      ]),
      ...subscriptions.map(({ name, created_at, endpoint }) => [
        'Push',
        `${name || 'Unknown browser'}, since ${timeOf(created_at)}, by ${inOneLine(URL.parse(endpoint)?.host ?? '')}`,
      ]),
      ['Reminders', `${toCome.toLocaleString('en')} to come`],
    ]
    return facts.map(([label = '', value]) => label.padEnd(11) + value).join('\n')
  },

  async disable({ database, now }: Call, { id, email }: Account) {
    await database.write((db) => setDisabled(db, id, now), id)
    return `${inOneLine(email)} is disabled and logged out everywhere. Nothing of the account is deleted.`
  },

  async enable({ database }: Call, { id, email }: Account) {
    await database.write((db) => setDisabled(db, id, null), id)
    return `${inOneLine(email)} is enabled.`
  },

  async 'end-sessions'({ database }: Call, { id, email }: Account) {
    await database.write((db) => endCredentials(db, id), id)
    return `${inOneLine(email)} is logged out everywhere.`
  },

  async delete({ database, now }: Call, { id, email }: Account) {
    await database.write(
      async (db) => void ((await lockUser(db, id)) && (await closeAccount(db, id, now))),
      id,
    )
    await deleteClosedAccounts(database, new AbortController().signal)
    return `${inOneLine(email)} is deleted, with all tasks and notes.`
  },

  async 'reset-password'({ database, config, now }: Call, { id, email, disabled_at }: Account) {
    if (disabled_at !== null)
      throw new CommandError(`${inOneLine(email)} is disabled. Enable the account first.`)
    return linkText(config, email, await database.write((db) => startReset(db, id, now), id))
  },
}

const timeOf = (instant: number) => `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const linkText = (config: Config, email: string, token: string) =>
  `With this link ${inOneLine(email)} chooses a password. It works once, within 24 hours:\n${addressOf(config)}/reset-password#${token}`

/** Where users open the server, as far as the configuration says. */
function addressOf({ publicUrl, allowedHosts, trustedProxies, host, port }: Config): string {
  if (publicUrl) return publicUrl.origin
  const name = allowedHosts.find((each) => each !== 'localhost' && isIP(each.replace(/^\[|\]$/g, '')) === 0)
  if (name === undefined) return localAddress(host === '0.0.0.0' || host === '::' ? 'localhost' : host, port)
  return trustedProxies.length > 0 ? `https://${name}` : localAddress(name, port)
}
