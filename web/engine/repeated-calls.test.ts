import { afterEach, expect, test, vi } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { documentsOf } from './notes/note-documents.ts'
import { taskListOf } from './store/task-lists.ts'
import { testAccounts } from './testing/test-accounts.ts'
import { titlesIn, typeLine, until } from './testing/test-browser.ts'

const { newUser, visit } = testAccounts()
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

type Answer = (call: string, number: number, first: string, body: string) => Response

const unanswered = () => {
  throw new TypeError('Failed to fetch')
}

/** What servers, proxies and networks that have gone wrong answer to every call. `first`: how the server has answered before. */
const servers: Record<string, Answer> = {
  'answers 503': () => Response.json({}, { status: 503 }),
  'cuts the connection': unanswered,
  'answers without data': () => Response.json({}),
  'announces news and repeats its first answers'(call, number, first, body) {
    const headers = { 'changes-cursor': `${number}.a`, 'content-type': 'application/json' }
    if (call === 'GET /changes/stream')
      return new Response(`data: ${number}.a\n\n`, { headers: { 'content-type': 'text/event-stream' } })
    if (call === 'GET /changes')
      return Response.json({ items: [], purged: [], cursor: '1.a', more: true }, { headers })
    // Each of them is a change of something that is shown.
    if (call !== 'POST /changes')
      return new Response(first.replace(/"version":\d+/g, `"version":${number}`), { headers })
    const items = (JSON.parse(body).changes as { item: string; kind?: string }[]).map(
      ({ item, kind = 'task' }) => ({
        ...{ kind, outcome: 'conflict' },
        item: kind === 'note' ? { ...stale, _id: item } : null,
      }),
    )
    return Response.json({ items, cursor: `${number}.a` }, { headers })
  },
}

const stale = {
  ...{ text: 'Ferry', version: 1, pinned: false, deletedAt: null },
  ...{ createdAt: '2026-01-01T08:00:00Z', changedAt: '2026-01-01T08:00:00Z' },
}

/** In five minutes: two repeats of the same call, a text and a change, that wait for 1, 2, 4 … 60, 60 seconds. */
const mostCalls = 30

test.each(Object.entries(servers))('An engine repeats no call often while a server %s', async (_, answer) => {
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
      if (isWrong) return answer(call, number++, firsts.get(call) ?? '{}', String(init.body))
      const response = await network.fetch(path, init, cut.signal)
      if (!call.endsWith('/stream')) firsts.set(call, await response.clone().text())
      return response
    },
  })
  const id = documentsOf(tab).write('Ferry')
  await documentsOf(tab).saveAll()
  const { note } = (await tab.needs.call('GET /notes/:id', { params: { id } })).data
  await until(() => titlesIn(tab).length === 1)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
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
