import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CommandError, readOptions, runCommand } from '../command.ts'
import { databaseUrl, readConfig } from '../config.ts'
import type { Database } from '../database/database.ts'
import { OlderSchema } from '../database/migrate.ts'
import { openDatabase } from '../database/open-database.ts'
import { HttpError } from '../errors.ts'
import { copyDatabase, type OnProgress } from './copy-database.ts'
import { tableNames } from './table-rows.ts'

const usage = `copy-database --from URL --to URL
Copies all rows of a database to an empty one of the same or the other engine: file:PATH or postgres://… No server may run.`

const width = 30
const previousLine = '\x1b[1A\x1b[2K'

await runCommand(async () => {
  const { values } = readOptions(usage, { options: { from: { type: 'string' }, to: { type: 'string' } } })
  const [source, target] = [urlOf('--from', values.from), urlOf('--to', values.to)]
  if (source.protocol === 'file:' && !existsSync(source)) {
    throw new CommandError(`--from: there is no file ${fileURLToPath(source)}`)
  }
  const from = await open('--from', source, { migrate: false })
  const to = await open('--to', target, { migrate: true }).catch(async (error) => {
    await from.close()
    throw error
  })
  try {
    const rows = await copyDatabase(from, to, withoutCredentials(source), showProgress(process.stderr))
    return `Copied ${rows.toLocaleString('en')} rows of ${tableNames.length} tables to ${withoutCredentials(target)}; row counts and checksums match.\nThe copy sends no reminders until you run "npm run reminders -- on" for it.`
  } catch (error) {
    const explained = error instanceof HttpError ? error : (from.explain(error) ?? to.explain(error))
    throw explained ? new CommandError(`${explained.message} Run the same command again to resume.`) : error
  } finally {
    await from.close()
    await to.close()
  }
})

function urlOf(name: string, value: string | undefined): URL {
  if (value === undefined)
    throw new CommandError(
      `${name} is missing: the database to copy ${name.slice(2)}, file:PATH or postgres://…`,
    )
  return databaseUrl(value, name)
}

async function open(name: string, url: URL, options: { migrate: boolean }): Promise<Database> {
  try {
    return await openDatabase(url, { ...readConfig({}).database, ...options })
  } catch (error) {
    if (error instanceof OlderSchema) throw error.ofCommand(name)
    const { message, code } = error as NodeJS.ErrnoException
    throw new CommandError(`${name} cannot be opened (${withoutCredentials(url)}): ${message || code}`, {
      cause: error,
    })
  }
}

function withoutCredentials({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`
}

/** Shows a progress bar on a terminal; otherwise prints a line for every 10 %. */
function showProgress(stream: NodeJS.WriteStream): OnProgress {
  let shown = { step: '', level: -1 }
  return (step, done, total) => {
    const percent = Math.floor((done / total) * 100)
    const level = stream.isTTY ? percent : Math.floor(percent / 10)
    if (step === shown.step && level === shown.level) return
    const text = `${step.padEnd(8)} ${String(percent).padStart(3)} %`
    const bar = '█'.repeat(Math.round((done / total) * width)).padEnd(width, '░')
    const redraw = step === shown.step ? previousLine : ''
    stream.write(stream.isTTY ? `${redraw}${text} ${bar}\n` : `${text}\n`)
    shown = { step, level }
  }
}
