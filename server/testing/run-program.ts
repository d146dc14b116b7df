import { execFile } from 'node:child_process'
import { join } from 'node:path'

type Ending = { code: number; stdout: string; stderr: string }

/** Runs a program of the server, named by its path below `server/`, to its end. */
export function runProgram(
  program: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<Ending> {
  const env = { ...process.env, ...environment }
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [join(import.meta.dirname, '..', program), ...args],
      { env },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    ),
  )
}
