#!/usr/bin/env node
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runToEnd } from './run-to-end.mjs'

// The command of the npm package: plain JavaScript that any Node from 20 on runs, and that starts the pinned one.

const programs = {
  start: 'server/main.js',
  add: 'server/add-command.js',
  backup: 'server/backups/backup-command.js',
  restore: 'server/backups/restore-command.js',
  migrate: 'server/database/migrate-command.js',
  'copy-database': 'server/copying/copy-command.js',
  users: 'server/users/users-command.js',
  reminders: 'server/reminders/reminders-command.js',
  export: 'server/exporting/export-command.js',
}

const root = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(import.meta.url)
const { version, optionalDependencies } = require('../package.json')
const [name = 'start', ...options] = process.argv.slice(2)
const program = Object.hasOwn(programs, name) && programs[name]

if (program) {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'daymark')
  runToEnd(runtime(), [join(root, program), ...options], {
    env: { NODE_COMPILE_CACHE: cache, NODE_ENV: 'production', ...process.env },
  })
} else {
  const isHelp = ['help', '--help', '-h'].includes(name)
  const { nearestName } = await import('../server/nearest-name.js')
  const meant = nearestName(name, Object.keys(programs))
  const text = `${meant ? `There is no command ${name}: is ${meant} meant?\n` : ''}Daymark ${version}. Usage: daymark [${Object.keys(programs).join(' | ')}]
The database is data/daymark.sqlite in the current folder, or the value of DATABASE_URL. All variables: docs/operating.md`
  console[isHelp || name === '--version' ? 'log' : 'error'](name === '--version' ? version : text)
  process.exitCode = isHelp || name === '--version' ? 0 : 1
}

/** The Node that npm installed with this package for this platform. */
function runtime() {
  for (const name of Object.keys(optionalDependencies)) {
    try {
      const file = require.resolve(`${name}/package.json`)
      return join(dirname(file), require(file).bin.node)
    } catch {
      // For another platform.
    }
  }
  console.error(
    `There is no Node 26 package for ${process.platform} ${process.arch}, or npm left it out: use Linux with glibc or macOS, x64 or arm64.`,
  )
  process.exit(1)
}
