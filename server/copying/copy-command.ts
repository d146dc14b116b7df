import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Refusal, runCommand } from '../command.ts'
import { databaseUrl } from '../config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { HttpError } from '../errors.ts'
import { moveDatabase } from './move-database.ts'
import { showProgress } from './progress.ts'
import { tableNames } from './table-rows.ts'

// npm run move-database -- --from file:data/daymark.sqlite --to postgres://daymark:…@localhost/daymark

await runCommand(async () => {
  const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } })
  const [source, target] = [urlOf('--from', values.from), urlOf('--to', values.to)]
  if (source.protocol === 'file:' && !existsSync(source)) {
    throw new Refusal(`--from names a file that is not there: ${fileURLToPath(source)}`)
  }
  const from = await open('--from', source)
  const to = await open('--to', target).catch(async (error) => {
    await from.close()
    throw error
  })
  try {
    const rows = await moveDatabase(from, to, placeOf(source), showProgress(process.stderr))
    return `Moved ${rows.toLocaleString('en')} rows of ${tableNames.length} tables to ${placeOf(target)}; counts and checksums agree.`
  } catch (error) {
    const explained = error instanceof HttpError ? error : (from.explain(error) ?? to.explain(error))
    throw explained ? new Refusal(`${explained.message} Run the same command again to go on.`) : error
  } finally {
    await from.close()
    await to.close()
  }
})

function urlOf(name: string, value: string | undefined): URL {
  if (value === undefined)
    throw new Refusal(`${name} is missing: the database to move ${name.slice(2)}, file:PATH or postgres://…`)
  return databaseUrl(value, name)
}

async function open(name: string, url: URL): Promise<Database> {
  try {
    return await openDatabase(url)
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    throw new Refusal(`${name} cannot be opened (${placeOf(url)}): ${message || code}`, { cause: error })
  }
}

/** Where a database is, without the user and the password that open it. */
function placeOf({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`
}
