import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from './testing/run-program.ts'

const commands = readFileSync(join(import.meta.dirname, '../scripts/daymark.mjs'), 'utf8')
const programs = [...commands.matchAll(/^ {2}'?([\w-]+)'?: 'server\/(.*)\.js',$/gm)]

test.each(programs.map(([, name = '', program]) => [name, `${program}.ts`]))(
  'the command %s says with --help what it does and which options it has, and does nothing else',
  async (name, program) => {
    const code = readFileSync(join(import.meta.dirname, program), 'utf8')
    const options = [...code.matchAll(/(?<=[{,] )(\w+)(?=: \{ type: '(string|boolean)' \})/g)].map(
      ([option]) => option,
    )
    for (const help of ['--help', '-h']) {
      const { code, stdout, stderr } = await runProgram(program, [help], {
        DATABASE_URL: 'postgres://nowhere/x',
      })
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(new RegExp(`^Usage: daymark ${name}\\b.*\n.+`))
      for (const option of options) expect(stdout).toContain(`--${option}`)
    }
  },
)
