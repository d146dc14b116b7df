import type { Route } from '@playwright/test'
import { apiBase } from '#contract/limits.ts'
import { quickLine, sidebarButton } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import { editor, notePath, notesOf } from './notes-page.ts'
import { stopClock } from './stopped-clock.ts'

type Answer = (route: Route, call: string, number: number) => Promise<unknown>

/** What servers, proxies and networks that have gone wrong answer to every call. */
const servers: Record<string, Answer> = {
  'refuses, cuts and answers without data in turn': (route, _, number) =>
    [
      () => route.fulfill({ status: 503, json: {} }),
      () => route.abort('connectionreset'),
      () => route.fulfill({ json: {} }),
    ][number % 3]?.() ?? Promise.resolve(),
  'announces news and repeats its first answers': async (route, call, number) => {
    const headers = { 'changes-cursor': `${number}.a` }
    if (call === 'GET /changes/stream')
      return await route.fulfill({ contentType: 'text/event-stream', body: `data: ${number}.a\n\n` })
    if (call === 'GET /changes')
      return await route.fulfill({ json: { items: [], purged: [], cursor: '1.a', more: true }, headers })
    const url = new URL(route.request().url())
    url.searchParams.delete('cursor')
    if (call !== 'POST /changes') {
      const response = await route.fetch({ url: url.href })
      // Each of them is a change of something that is shown.
      const body = (await response.text()).replace(/"version":\d+/g, `"version":${number}`)
      return await route.fulfill({ response, body, headers: { ...response.headers(), ...headers } })
    }
    const { changes } = route.request().postDataJSON()
    const items = changes.map(({ item, kind = 'task' }: { item: string; kind?: string }) => ({
      ...{ kind, outcome: 'conflict' },
      item: kind === 'note' ? { ...stale, _id: item } : null,
    }))
    await route.fulfill({ json: { items, cursor: `${number}.a` }, headers })
  },
}

const stale = {
  ...{ text: 'Ferry', version: 1, pinned: false, deletedAt: null },
  ...{ createdAt: '2026-01-01T08:00:00Z', changedAt: '2026-01-01T08:00:00Z' },
}

/** In five minutes: two repeats of the same call, a text and a change, that wait for 1, 2, 4 … 60, 60 seconds. */
const mostCalls = 30

for (const [name, answer] of Object.entries(servers))
  test(`A page repeats no call often while a server ${name}`, async ({ page, server, user }) => {
    test.slow()
    for (let number = 0; number < 60; number++) await user.add({ title: `Ferry ${number}` })
    const { _id: id } = await notesOf(server, user).add('Ferry')
    await page.goto(notePath(id))
    await editor(page).click()
    await stopClock(page)
    const counts = new Map<string, number>()
    let number = 100
    await page.route(`${apiBase}/**`, (route) => {
      const call = `${route.request().method()} ${new URL(route.request().url()).pathname.replace(apiBase, '')}`
      counts.set(call, (counts.get(call) ?? 0) + 1)
      return answer(route, call, number++).catch(() => {})
    })

    async function passTime() {
      counts.clear()
      for (let passed = 0; passed < 300; passed += 5) {
        await page.clock.runFor(5000)
        await page.evaluate(() => fetch('/livez'))
      }
      expect([...counts].filter(([, count]) => count > mostCalls)).toEqual([])
    }

    await page.keyboard.type('Typed ')
    await passTime()
    await sidebarButton(page, 'Latest').click()
    await quickLine(page).fill('Pack')
    await page.keyboard.press('Enter')
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await passTime()
    await page.getByRole('searchbox').fill('ferry')
    await passTime()
    await page.goto('/dashboard/notes')
    await passTime()
  })
