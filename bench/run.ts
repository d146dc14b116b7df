import { parseArgs } from 'node:util'
import { compareWith } from './against.ts'
import { attacks } from './attacks.ts'
import { browser } from './browser.ts'
import { creates } from './creates.ts'
import { day } from './day.ts'
import { imports } from './imports.ts'
import { lists } from './lists.ts'
import { noteTyping } from './note-typing.ts'
import { presses } from './presses.ts'
import { reminders } from './reminders.ts'

/** The benchmarks. `npm run bench` runs all except `attacks`, which takes hours and is part of `npm run torture`. */
const benches: Record<string, (rounds: number) => Promise<void>> = {
  day,
  lists,
  creates,
  reminders,
  imports,
  presses,
  noteTyping,
  browser,
  attacks,
}

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { against: { type: 'string' } },
})
const usual = Object.keys(benches).filter((name) => name !== 'attacks')
for (const name of positionals.length > 0 ? positionals : usual) {
  const bench = benches[name]
  if (!bench) throw new Error(`unknown benchmark ${name}; choose from ${Object.keys(benches).join(', ')}`)
  // With `--against DIR`, in turns with the server of another checkout.
  if (values.against) await compareWith(values.against, name, rounds)
  else await bench(rounds)
}
