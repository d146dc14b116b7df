import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { apiBase } from '#contract/limits.ts'
import { newId } from '../server/new-id.ts'
import { median } from './load.ts'
import { row, section } from './report.ts'
import { seed, seedPassword } from './seed.ts'
import { startDaymark, withSqliteFile } from './servers.ts'

const size = 100_000
const draft = { title: 'Ask about the delivery', dueDate: '2026-11-21', priority: 'high' }

/** The longest that another user waits for a list and for an added task while a large account is deleted. */
export async function deletion(rounds: number) {
  section(`Another user's calls while an account of ${size.toLocaleString('en')} tasks is deleted, SQLite`)
  const times = { answer: [] as number[], all: [] as number[], list: [] as number[], add: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    await withSqliteFile(async (url) => {
      const [leaving, staying] = (await seed(url, [size, 50])) as [string, string]
      const daymark = await startDaymark(url)
      const file = new DatabaseSync(fileURLToPath(url), { readOnly: true })
      const usersLeft = file.prepare('select count(*) as count from users')
      const call = async (token: string, method: string, path: string, body?: object) => {
        const began = performance.now()
        const headers = { authorization: `Bearer ${token}` }
        const keyed = { ...headers, 'content-type': 'application/json', 'idempotency-key': newId() }
        const request = body ? { method, headers: keyed, body: JSON.stringify(body) } : { method, headers }
        const answer = await fetch(daymark.base + apiBase + path, request)
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
        return performance.now() - began
      }
      const list = () => call(staying, 'GET', '/list/getLatestTasks')
      const add = () => call(staying, 'POST', '/list/addTask', draft)
      await list()
      await add()

      const began = performance.now()
      const answered = call(leaving, 'POST', '/user/deleteAccount', { password: seedPassword })
      const longestOf = async (act: () => Promise<number>) => {
        let longest = 0
        while (usersLeft.get()?.count !== 1) longest = Math.max(longest, await act())
        return longest
      }
      const [longestList, longestAdd] = await Promise.all([longestOf(list), longestOf(add)])
      times.all.push(performance.now() - began)
      times.answer.push(await answered)
      times.list.push(longestList)
      times.add.push(longestAdd)
      file.close()
      await daymark.stop()
    })
  }
  row('the slowest list', `${median(times.list).toFixed(0)} ms`)
  row('the slowest added task', `${median(times.add).toFixed(0)} ms`)
  row('until the deletion is answered', `${median(times.answer).toFixed(0)} ms`)
  row('until everything is deleted', `${median(times.all).toFixed(0)} ms`)
}
