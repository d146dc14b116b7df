import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { emptyDatabase, onEveryEngine } from './testing/engines.ts'
import { expectRefused, runProgram } from './testing/run-program.ts'
import { runStatement } from './testing/run-statement.ts'
import { storedDatabase } from './testing/stored-database.ts'

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
const programs = Object.values<string>(scripts).flatMap(
  (script) => /^node server\/(.*-command\.ts)$/.exec(script)?.[1] ?? [],
)

/** The commands that read or change the database of a server, as they are called with the file of a database that does not exist. */
const calls: [program: string, ...args: string[]][] = [
  ['backups/backup-command.ts'],
  ['copying/copy-command.ts', '--from', '$DATABASE_URL', '--to', 'file:other.sqlite'],
  ['exporting/export-command.ts', 'ada@example.org', 'ada.zip'],
  ['reminders/reminders-command.ts', 'off'],
  ['users/users-command.ts', 'add', 'ada@example.org'],
  ['users/users-command.ts', 'list'],
]

/** Those that create or migrate one, and the one that calls a server. */
const others = ['add-command.ts', 'backups/restore-command.ts', 'database/migrate-command.ts']

const run = ([program, ...args]: (typeof calls)[number], url: URL) =>
  runProgram(
    program,
    args.map((arg) => arg.replace('$DATABASE_URL', url.href)),
    { DATABASE_URL: url.href },
  )

test('every command that does not create the database is among those that follow', () => {
  expect([...new Set([...calls.map(([program]) => program), ...others])].sort()).toEqual(programs.sort())
})

describe.each(calls)('%s %s', (...call) => {
  test('creates no database at a wrong path, and says that there is none', async () => {
    const url = await emptyDatabase('sqlite')
    url.pathname = join(dirname(url.pathname), 'wrong/daymark.sqlite')
    const ended = await run(call, url)
    expectRefused(ended, /^\S* ?there is no (database|file) .*wrong\/daymark\.sqlite/i)
    if (call[0].startsWith('users'))
      expectRefused(ended, 'start a server on it, or run "npm run migrate", first')
    expect(existsSync(dirname(fileURLToPath(url)))).toBe(false)
  })
})

onEveryEngine('no command migrates the database of an earlier version:', (engine) => {
  test.each(calls.filter(([program]) => !program.startsWith('backups')))('%s %s', async (...call) => {
    const url = await storedDatabase(engine, '0.1.0')
    expectRefused(await run(call, url), / is older .* or run "npm run migrate", first$/)
    expect(await runStatement(url, 'select name from kysely_migration')).toEqual([{ name: '001-start' }])
  })
})
