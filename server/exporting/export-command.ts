import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { CommandError, countsOf, inOneLine, readOptions, runCommand } from '../command.ts'
import { withDatabase } from '../database/open-database.ts'
import { findAccount } from '../users/administration.ts'
import { writeExport } from './write-export.ts'

const usage = `export EMAIL FILE
Writes all data of an account as a zip. Servers may run.
The database is that of DATABASE_URL, data/daymark.sqlite by default.`

await runCommand(async () => {
  const { positionals } = readOptions(usage, { allowPositionals: true })
  const [email, path, ...more] = positionals
  if (email === undefined || path === undefined || more.length > 0)
    throw new CommandError('Use "export EMAIL FILE": the account, and the zip to write.')
  return await withDatabase(async (database) => {
    const account = await findAccount(database.read, email)
    if (!account) throw new CommandError(`There is no account ${inOneLine(email)}.`)
    const file = await create(path)
    try {
      const counts = await writeExport(database, account.id, file, { signal: new AbortController().signal })
      return `${path}: ${((await stat(path)).size / 1e6).toFixed(1)} MB (${countsOf(counts)})`
    } catch (error) {
      await rm(path)
      const { syscall, message } = error as NodeJS.ErrnoException
      throw syscall ? new CommandError(`The file ${path} cannot be written: ${message}`) : error
    }
  })
})

async function create(path: string) {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  try {
    await once(file, 'open')
    return file
  } catch (error) {
    throw new CommandError(`The file cannot be created: ${(error as Error).message}`, { cause: error })
  }
}
