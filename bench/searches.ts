import { openDatabase } from '../server/database/open-database.ts'
import { searchItems } from '../server/search/search-queries.ts'
import { inTurns, median } from './load.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { withSqliteFile } from './servers.ts'

const words = {
  'a word that no task contains': ['zzzz'],
  'a word that 11 tasks contain': ['task 777'],
  'four words that every task contains': ['delivery', 'march', 'prices', 'page'],
  'a tag that no task has': ['#home'],
}

/** The processor time of a search in 10,000 tasks, in milliseconds. */
export async function searches(rounds: number) {
  section('A search in 10,000 tasks, processor time, SQLite')
  await withSqliteFile(async (url) => {
    await seed(url, [10_000])
    const { read, close } = await openDatabase(url)
    const { id } = await read.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const timeOf = (words: string[]) => async () => {
      const before = process.cpuUsage()
      for (let count = 0; count < 20; count++)
        await searchItems(read, id, { words, limit: 50, isWanted: () => true })
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 20 / 1000
    }
    const works = Object.fromEntries(Object.entries(words).map(([what, each]) => [what, timeOf(each)]))
    for (const [what, times] of Object.entries(await inTurns(rounds, works)))
      row(`${what} (at most 10 ms)`, `${median(times).toFixed(1)} ms`)
    await close()
  })
}
