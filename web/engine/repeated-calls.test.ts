import { afterEach, expect, test, vi } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { mostCalls, wrongServers } from '../../server/testing/wrong-servers.ts'
import { documentsOf } from './notes/note-documents.ts'
import { taskListOf } from './store/task-lists.ts'
import { testAccounts } from './testing/test-accounts.ts'
import { titlesIn, typeLine, until } from './testing/test-browser.ts'

const { newUser, visit } = testAccounts()
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test.each(Object.entries(wrongServers))('No call is repeated often while a server %s', async (_, answer) => {
  for (const method of ['error', 'warn'] as const) vi.spyOn(console, method).mockImplementation(() => {})
  const user = await newUser()
  await user.addTask({ title: 'Ferry' })
  const { browser, network, tab: first } = await visit(user)
  first.close()
  const cut = new AbortController()
  const [firsts, counts] = [new Map<string, string>(), new Map<string, number>()]
  let [isWrong, number] = [false, 100]
  const tab = browser.open({
    async fetch(path: string, init: RequestInit) {
      if (path === '/livez') return new Response()
      const call = `${init.method} ${path.replace(apiBase, '').replace(/\?.*/, '')}`
      counts.set(call, (counts.get(call) ?? 0) + 1)
      const first = () => firsts.get(call) ?? '{}'
      if (isWrong) return answer({ call, number: number++, sent: String(init.body), first })
      const response = await network.fetch(path, init, cut.signal)
      if (!call.endsWith('/stream')) firsts.set(call, await response.clone().text())
      return response
    },
  })
  const id = documentsOf(tab).write('Ferry')
  await documentsOf(tab).saveAll()
  const { note } = (await tab.needs.call('GET /notes/:id', { params: { id } })).data
  await until(() => titlesIn(tab).length === 1)
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  })
  isWrong = true
  cut.abort(new TypeError())

  async function passTime() {
    counts.clear()
    for (let passed = 0; passed < 300; passed += 5) await vi.advanceTimersByTimeAsync(5000)
    expect([...counts].filter(([, count]) => count > mostCalls)).toEqual([])
    expect(counts.size).toBeGreaterThan(0)
  }
  documentsOf(tab).open(note).edit('Typed Ferry')
  await passTime()
  typeLine(tab, 'Pack')
  taskListOf(tab, 'latest').open()
  tab.needs.tell('shown')
  await passTime()
})
