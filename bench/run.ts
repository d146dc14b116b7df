import { creates, readsWhileWriting } from './creates.ts'
import { growth, lists } from './lists.ts'
import { postgres } from './postgres.ts'

/** `npm run bench` measures everything, `npm run bench -- lists growth` some of it. */
const benches: Record<string, (rounds: number) => Promise<void>> = {
  lists,
  growth,
  creates,
  readsWhileWriting,
  postgres,
}

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const wanted = process.argv.slice(2)
for (const name of wanted.length > 0 ? wanted : Object.keys(benches)) {
  const bench = benches[name]
  if (!bench)
    throw new Error(`there is no bench called ${name}; there are ${Object.keys(benches).join(', ')}`)
  await bench(rounds)
}
