import { ConfigError } from './environment.ts'

/** What the person who typed a command can mend, said in one line. */
export class Refusal extends Error {}

/** Runs a command and prints the line it answers with; where it fails, why, and the exit code is 1. */
export async function runCommand(work: () => Promise<string>): Promise<void> {
  try {
    console.log(await work())
  } catch (error) {
    console.error(isMendable(error) ? error.message : error instanceof Error ? error.stack : error)
    process.exitCode = 1
  }
}

/** Our own refusals, and what parseArgs says of an argument that it does not know. */
function isMendable(error: unknown): error is Error {
  if (error instanceof Refusal || error instanceof ConfigError) return true
  return error instanceof TypeError && String(Object(error).code).startsWith('ERR_PARSE_ARGS')
}
