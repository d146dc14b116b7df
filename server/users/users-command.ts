import { CommandError, inOneLine, readOptions, runCommand } from '../command.ts'
import { withDatabase } from '../database/open-database.ts'
import { nearestName } from '../nearest-name.ts'
import { findAccount } from './administration.ts'
import { onAccount, onEmail, onServer, onToken } from './users-actions.ts'

const usage = `users list
       daymark users show | disable | enable | end-sessions | delete | reset-password EMAIL
       daymark users add EMAIL [--name NAME]
       daymark users end-token EMAIL ID
Administers the accounts of the database. Servers may run. "show" also lists the ids of tokens.
The database is that of DATABASE_URL, data/daymark.sqlite by default.`

const names = [onServer, onEmail, onAccount, onToken].flatMap((actions) => Object.keys(actions))

await runCommand(async () => {
  const { positionals, values } = readOptions(usage, {
    options: { name: { type: 'string' } },
    allowPositionals: true,
  })
  const run = actionOf(positionals, values.name)
  return await withDatabase((database, config) => run({ database, config, now: Date.now() }))
})

function actionOf([name = '', email, token, ...more]: string[], person: string | undefined) {
  const has = (actions: object) => Object.hasOwn(actions, name)
  if (!names.includes(name)) {
    const meant = nearestName(name, names)
    throw new CommandError(
      meant ? `There is no "users ${name}". Is "users ${meant}" meant?` : `Use "users ${names.join(' | ')}".`,
    )
  }
  if (person !== undefined && !has(onEmail)) throw new CommandError('Only "users add" has the option --name.')
  const isComplete = (email === undefined) === has(onServer) && (token !== undefined) === has(onToken)
  if (more.length > 0 || !isComplete)
    throw new CommandError(
      has(onServer) ? `Use "users ${name}" alone.` : `Use "users ${name} EMAIL${has(onToken) ? ' ID' : ''}".`,
    )
  return async (call: Parameters<(typeof onAccount)['show']>[0]) => {
    if (has(onServer)) return await onServer[name as keyof typeof onServer](call)
    if (has(onEmail)) return await onEmail[name as keyof typeof onEmail](call, String(email), person)
    const account = await findAccount(call.database.read, String(email))
    if (!account) throw new CommandError(`There is no account ${inOneLine(String(email))}.`)
    if (has(onToken)) return await onToken[name as keyof typeof onToken](call, account, String(token))
    return await onAccount[name as keyof typeof onAccount](call, account)
  }
}
