import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Config, variables } from './config.ts'
import { ConfigError, textOf } from './environment.ts'
import { nearestName } from './nearest-name.ts'

/** An error that the user of a command can fix. Its message is one line, printed without a stack. */
export class CommandError extends Error {}

/** What `--help` prints in place of running the command. */
export class Help extends Error {}

/** Runs a command and prints the line that `work` returns. If it fails, prints the error and sets exit code 1. */
export async function runCommand(work: () => Promise<string>): Promise<void> {
  try {
    console.log(await work())
  } catch (error) {
    if (error instanceof Help) return console.log(error.message)
    console.error(isUserError(error) ? error.message : error instanceof Error ? error.stack : error)
    process.exitCode = 1
  }
}

/**
 * Reads the command line. An unknown option is an error that names the option or the variable that was probably meant. `usage`: the
 * arguments, and what the command does.
 */
export function readOptions<T extends ParseArgsConfig>(usage: string, wanted: T) {
  // Behind `--` is text.
  const [options = ''] = process.argv.slice(2).join('\n').split(/^--$/m)
  if (/^(--help|-h)$/m.test(options)) throw new Help(`Usage: daymark ${usage}`)
  try {
    return parseArgs({ ...wanted, strict: true })
  } catch (error) {
    if (!isInvalidOption(error)) throw error
    const [, name] = /Unknown option '--([^']+)'/.exec(error.message) ?? []
    if (!name) throw new CommandError(error.message, { cause: error })
    throw new CommandError(`There is no option '--${name}'. ${whatIsMeantBy(name, wanted)}`, { cause: error })
  }
}

/** Text of people or of another server, without what moves the cursor of a terminal or begins another line. */
export const inOneLine = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')

/** As in `users 2, tasks 1,234`. */
export const countsOf = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count.toLocaleString('en')}`)
    .join(', ')

/** Without DATABASE_URL the path depends on the working directory, and a new file there would be a mistake. */
export function requireNamedOrFile({ databaseUrl }: Config, environment: NodeJS.ProcessEnv) {
  const isSet = ['DATABASE_URL', 'DATABASE_URL_FILE'].some((name) => textOf(environment, name))
  if (isSet || existsSync(databaseUrl)) return
  throw new CommandError(`DATABASE_URL is not set, and there is no database at ${fileURLToPath(databaseUrl)}`)
}

function whatIsMeantBy(name: string, { options = {} }: ParseArgsConfig): string {
  const [own, asVariable] = [Object.keys(options), name.toUpperCase().replaceAll('-', '_')]
  const option = nearestName(name, own)
  if (option) return `Is --${option} meant?`
  const all = Object.keys(variables)
  const variable = all.includes(asVariable) ? asVariable : nearestName(asVariable, all)
  if (variable) return `Set the variable ${variable}, as in ${variable}=${exampleOf(variable)}.`
  if (own.length === 0) return 'This command has no options; variables configure it, see docs/operating.md.'
  return `The options are ${own.map((each) => `--${each}`).join(', ')}.`
}

const exampleOf = (variable: string) =>
  (variables as Record<string, { example?: string }>)[variable]?.example ?? '…'

function isUserError(error: unknown): error is Error {
  return error instanceof CommandError || error instanceof ConfigError
}

const isInvalidOption = (error: unknown): error is Error =>
  error instanceof TypeError && String(Object(error).code).startsWith('ERR_PARSE_ARGS')
