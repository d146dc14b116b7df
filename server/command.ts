import { ConfigError } from './environment.ts'

/** An error that the user of a command can fix. Its message is one line, printed without a stack. */
export class CommandError extends Error {}

/** Runs a command and prints the line that `work` returns. If it fails, prints the error and sets exit code 1. */
export async function runCommand(work: () => Promise<string>): Promise<void> {
  try {
    console.log(await work())
  } catch (error) {
    console.error(isUserError(error) ? error.message : error instanceof Error ? error.stack : error)
    process.exitCode = 1
  }
}

/** Covers invalid command-line options too, which `parseArgs` reports with a TypeError. */
function isUserError(error: unknown): error is Error {
  if (error instanceof CommandError || error instanceof ConfigError) return true
  return error instanceof TypeError && String(Object(error).code).startsWith('ERR_PARSE_ARGS')
}
