import { CommandError, readOptions, runCommand } from '../command.ts'
import { databaseNow } from '../database/database-clock.ts'
import { withDatabase } from '../database/open-database.ts'
import { loadPushKeys, setSending } from './push-keys.ts'

const usage = `reminders on | off
Lets the servers on this database send reminders or not, for example after the database was copied.
The database is that of DATABASE_URL, data/daymark.sqlite by default.`

await runCommand(async () => {
  const { positionals } = readOptions(usage, { options: {}, allowPositionals: true })
  const [name] = positionals
  if (positionals.length !== 1 || (name !== 'on' && name !== 'off'))
    throw new CommandError('Use "reminders on" or "reminders off".')
  return await withDatabase(async (database) => {
    await loadPushKeys(database)
    await database.write(async (db) => setSending(db, name === 'on', await databaseNow(db)))
    return name === 'on'
      ? 'The servers on this database send reminders, of which none is from before now.'
      : 'The servers on this database send no reminders.'
  })
})
