import { browser } from './browser.ts'
import { creates, readsWhileWriting } from './creates.ts'
import { greedyNetwork, idleConnections, overload, slowConnections } from './crowds.ts'
import { deletion } from './deletion.ts'
import { growth, lists } from './lists.ts'
import { longLog } from './long-log.ts'
import { manyUsers } from './many-users.ts'
import { noteTyping } from './note-typing.ts'
import { notes } from './notes.ts'
import { paint } from './paint.ts'
import { postgres, prepared } from './postgres.ts'
import { soak, startAndIdle } from './process.ts'
import { searches } from './searches.ts'

/** The benchmarks of `npm run bench`. `npm run bench -- lists growth` runs only the named ones. */
const benches: Record<string, (rounds: number) => Promise<void>> = {
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
  noteTyping,
}

/** The additional benchmarks of `npm run torture`, which take longer and put more load on the machine. */
const tortures: typeof benches = { overload, idleConnections, greedyNetwork, slowConnections, longLog, soak }

const all = { ...benches, ...tortures }

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const wanted = process.argv.slice(2)
for (const name of wanted.length > 0 ? wanted : Object.keys(benches)) {
  const bench = all[name]
  if (!bench) throw new Error(`unknown benchmark ${name}; choose from ${Object.keys(all).join(', ')}`)
  await bench(rounds)
}
