import { parseArgs } from 'node:util'
import { compareWith } from './against.ts'
import { attacksOnOthers } from './attacks.ts'
import { browser } from './browser.ts'
import { creates, readsWhileWriting } from './creates.ts'
import { greedyNetwork, idleConnections, overload, slowConnections } from './crowds.ts'
import { day, dayOnPostgres } from './day.ts'
import { deletion } from './deletion.ts'
import { growth, lists } from './lists.ts'
import { longLog } from './long-log.ts'
import { longTexts } from './long-texts.ts'
import { manyUsers } from './many-users.ts'
import { noteTyping } from './note-typing.ts'
import { notes } from './notes.ts'
import { paint } from './paint.ts'
import { postgres, prepared } from './postgres.ts'
import { presses } from './presses.ts'
import { soak, startAndIdle } from './process.ts'
import { rollingRestarts } from './rolling-restarts.ts'
import { searches } from './searches.ts'
import { secondVisit } from './second-visit.ts'

/** The benchmarks of `npm run bench`. `npm run bench -- lists growth` runs only the named ones, `--against DIR` each in turns with another checkout. */
const benches: Record<string, (rounds: number) => Promise<void>> = {
  day,
  dayOnPostgres,
  lists,
  growth,
  creates,
  manyUsers,
  readsWhileWriting,
  deletion,
  notes,
  searches,
  postgres,
  prepared,
  startAndIdle,
  browser,
  paint,
  presses,
  secondVisit,
  noteTyping,
}

/** Benchmarks that take longer or need more: those of `npm run torture`, and `rollingRestarts`, which needs two proxies. */
const tortures: typeof benches = {
  longTexts,
  overload,
  idleConnections,
  greedyNetwork,
  slowConnections,
  attacksOnOthers,
  longLog,
  rollingRestarts,
  soak,
}

const all = { ...benches, ...tortures }

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { against: { type: 'string' } },
})
for (const name of wanted.length > 0 ? wanted : Object.keys(benches)) {
  const bench = all[name]
  if (!bench) throw new Error(`unknown benchmark ${name}; choose from ${Object.keys(all).join(', ')}`)
  if (values.against) await compareWith(values.against, name, rounds)
  else await bench(rounds)
}
