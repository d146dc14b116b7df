import { browser } from './browser.ts'
import { creates, readsWhileWriting } from './creates.ts'
import { greedyNetwork, idleConnections, overload, slowConnections } from './crowds.ts'
import { deletion } from './deletion.ts'
import { growth, lists } from './lists.ts'
import { postgres } from './postgres.ts'
import { soak, startAndIdle } from './process.ts'

/** `npm run bench` measures everything, `npm run bench -- lists growth` some of it. */
const benches: Record<string, (rounds: number) => Promise<void>> = {
  lists,
  growth,
  creates,
  readsWhileWriting,
  deletion,
  postgres,
  startAndIdle,
  browser,
}

/** What `npm run torture` adds: longer, and harder on the machine. */
const tortures: typeof benches = { overload, idleConnections, greedyNetwork, slowConnections, soak }

const all = { ...benches, ...tortures }

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const wanted = process.argv.slice(2)
for (const name of wanted.length > 0 ? wanted : Object.keys(benches)) {
  const bench = all[name]
  if (!bench) throw new Error(`there is no bench called ${name}; there are ${Object.keys(all).join(', ')}`)
  await bench(rounds)
}
