import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'

export type Ending = { code: number; stdout: string; stderr: string }

/** Runs a program of the server, named by its path below `server/`, to its end. */
export function runProgram(
  program: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<Ending> {
  const env = { ...process.env, ...environment }
  const command = [join(import.meta.dirname, '..', program), ...args]
  return new Promise((resolve) =>
    execFile(process.execPath, command, { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    ),
  )
}

/** Checks that a program has ended with code 1, has done nothing and printed one line, with this. */
export function expectRefused(
  { code, stdout, stderr }: Omit<Ending, 'code'> & { code: number | null },
  line: string | RegExp,
) {
  expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 1, stdout: '', lines: 2 })
  expect(stderr.trimEnd()).toMatch(line)
}
