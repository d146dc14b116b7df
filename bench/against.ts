import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { median } from './load.ts'
import { checkout } from './servers.ts'

/**
 * Runs a benchmark of this checkout in turns with this checkout's server and with that of another one, each time with a
 * new database and a new process. Both sides need the same tables.
 */
export async function compareWith(other: string, name: string, rounds: number) {
  const rows = new Map<string, { here: number[]; there: number[] }>()
  const run = (side: 'here' | 'there', directory: string) => async () => {
    const env = { ...process.env, BENCH_ROUNDS: '1', BENCH_CHECKOUT: resolve(directory) }
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(import.meta.dirname, 'run.ts'), name],
      { env },
    )
    for (const [title = '', ...lines] of stdout.split('\n### ').map((table) => table.split('\n')))
      for (const [, name, value] of lines.join('\n').matchAll(/^\| (.+) \| ([\d.]+).* \|$/gm)) {
        const what = `${title}: ${name}`
        const row = rows.get(what) ?? { here: [], there: [] }
        row[side].push(Number(value))
        rows.set(what, row)
      }
  }
  for (let round = 0; round < rounds; round++) {
    const turns = [run('here', checkout), run('there', other)]
    // So that neither is always the first.
    for (const turn of round % 2 ? turns.reverse() : turns) await turn()
  }
  console.log(`\n### ${name}, this checkout against ${other}, ${rounds} rounds\n`)
  console.log('| | this | other | ratio | of single rounds |\n| --- | --- | --- | --- | --- |')
  for (const [what, { here, there }] of rows) {
    const ratios = here.map((value, round) => value / (there[round] as number)).sort((a, b) => a - b)
    const shown = [median(here), median(there)].map((value) => Number(value.toPrecision(4)))
    console.log(
      `| ${what} | ${shown.join(' | ')} | ${median(ratios).toFixed(2)} | ${ratios.at(0)?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)} |`,
    )
  }
}
