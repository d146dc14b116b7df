import { apiBase } from '#contract/limits.ts'
import { mostCalls, wrongServers } from '../server/testing/wrong-servers.ts'
import { enterLine, sidebarButton } from './dashboard-page.ts'
import { expect } from './fixtures.ts'
import { editor, notePath, notesTest as test } from './notes-page.ts'
import { stopClock } from './stopped-clock.ts'

const [refuse, cut, answerWithoutData, repeatAnswers] = Object.values(wrongServers)

const servers = {
  'refuses, cuts and answers without data in turn': [refuse, cut, answerWithoutData],
  'announces news and repeats its first answers': [repeatAnswers],
}

for (const [name, answers] of Object.entries(servers))
  test(`A page repeats no call often while a server ${name}`, async ({ page, user, notes }) => {
    test.slow()
    for (let number = 0; number < 60; number++) await user.add({ title: `Ferry ${number}` })
    const { _id: id } = await notes.add('Ferry')
    await page.goto(notePath(id))
    await editor(page).click()
    await stopClock(page)
    const counts = new Map<string, number>()
    let number = 100
    await page.route(`${apiBase}/**`, async (route) => {
      const request = route.request()
      const url = new URL(request.url())
      const call = `${request.method()} ${url.pathname.replace(apiBase, '')}`
      counts.set(call, (counts.get(call) ?? 0) + 1)
      url.searchParams.delete('cursor')
      const first = async () => (await route.fetch({ url: url.href })).text()
      const asked = { call, number: number++, sent: request.postData() ?? '', first }
      try {
        const answer = (await answers[asked.number % answers.length]?.(asked)) ?? Response.error()
        const { status, headers } = answer
        await route.fulfill({ status, headers: Object.fromEntries(headers), body: await answer.text() })
      } catch {
        await route.abort('connectionreset').catch(() => {})
      }
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
    await enterLine(page, 'Pack')
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await passTime()
    await page.getByRole('searchbox').fill('ferry')
    await passTime()
    await page.goto('/dashboard/notes')
    await passTime()
  })
