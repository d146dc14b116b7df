import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { tokenKey } from '#contract/limits.ts'
import { launchChromium } from './chromium.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { startDaymark, withSqliteFile } from './servers.ts'

/** In milliseconds: how long each call takes. */
const latency = 1500

/** More cards than fit on the screen of the bench. */
const screenful = 10

/** The number of tasks that are changed together. */
const selected = 230

/**
 * `press`: the selector of the element that is pressed, is submitted or gets a key. The result is shown when the page has at
 * least `count` elements with the selector `shown` (none if it is 0), the view has the title, and one of these has the text.
 */
type Press = {
  press: string
  key?: { key: string; ctrlKey?: boolean }
  submits?: boolean
  shown: string
  count?: number
  title?: string
  text?: string
}

/** Prepares a press, or nothing if it is ready. */
type Action = (page: Page, round: number) => Promise<Press>

/** Measures the time from a press until its result is painted, while each call takes 1.5 s: 10,000 tasks and 20 notes. */
export async function presses(rounds: number) {
  await withSqliteFile(async (url) => {
    const [of10000, of230] = (await seed(url, [10_000, selected])) as [string, string]
    const daymark = await startDaymark(url)
    await addItems(daymark.base, of10000)
    const browser = await launchChromium()
    const open = async (token: string) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [tokenKey, token] as const)
      await page.goto(`${daymark.base}/dashboard?list=latest`)
      await page.locator('main article').first().waitFor()
      // Loads the chunks that are loaded when the page is idle, and everything else of the replica.
      await page.waitForLoadState('load')
      await page.waitForTimeout(3000)
      return page
    }
    try {
      const [page, grouped] = [await open(of10000), await open(of230)]
      section(`A press until its result is painted, each call takes ${latency / 1000} s`, '95 %')
      for (const rate of [1, 4]) {
        for (const [name, action] of Object.entries(actions)) await measure(page, name, action, rate, rounds)
        for (const [name, action] of Object.entries(groupActions))
          await measure(grouped, name, action, rate, rounds)
      }
    } finally {
      await browser.close()
      await daymark.stop()
    }
  })
}

/** Tasks with lines to be ticked, done tasks and notes. */
async function addItems(base: string, token: string) {
  const add = (kind: string, set: object) => ({ mutation: randomUUID(), item: randomUUID(), kind, set })
  const task = { dueDate: dayIn(0), priority: 'low', body: '' }
  const changes = [
    ...Array.from({ length: 30 }, (_, i) => add('task', { ...task, title: `Done ${i}`, done: true })),
    ...Array.from({ length: 20 }, (_, i) => ({ ...add('note', { text: `Note ${i}\nText` }), base: 0 })),
    add('task', { ...task, title: 'Lines', body: '- [ ] one\n- [ ] two' }),
  ]
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(`${base}/api/v1/changes`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ changes }),
  })
  if (!response.ok) throw new Error(await response.text())
}

/** In the time zone of this machine, which is that of the browser. */
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-CA')

async function measure(page: Page, name: string, prepare: Action, rate: number, rounds: number) {
  const session = await page.context().newCDPSession(page)
  const throttle = (rate: number) => session.send('Emulation.setCPUThrottlingRate', { rate })
  const delay = (latency: number) =>
    session.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 },
    })
  const times: number[] = []
  await session.send('Network.enable')
  // The first round loads the chunks of the action.
  for (let round = -1; round < 4 * rounds; round++) {
    const press = await prepare(page, round)
    await delay(latency)
    await throttle(rate)
    const time = await page.evaluate(timeUntilPainted, press)
    await throttle(1)
    await delay(0)
    if (round >= 0) times.push(time)
  }
  await session.detach()
  const sorted = times.toSorted((a, b) => a - b)
  const [middle, high] = [0.5, 0.95].map((part) => sorted[Math.ceil(part * sorted.length) - 1] ?? 0)
  row(
    `${name}${rate > 1 ? `, CPU throttled ${rate} times` : ''}`,
    `${high?.toFixed(0)} ms, median ${middle?.toFixed(0)} ms`,
  )
}

async function goTo(page: Page, label: string, title: string) {
  await page
    .getByRole('complementary', { name: 'Sidebar' })
    .getByRole('button', { name: label, exact: true })
    .click()
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
}

/** The selector of a card without a tick in Latest, but not of the one with lines. */
async function firstCard(page: Page) {
  await goTo(page, 'Latest', 'Recent')
  const card = page
    .locator('main article:has([data-action=complete]:not(:checked)):not(:has([data-action=line-0]))')
    .nth(5)
  return `[data-task="${await card.getAttribute('data-task')}"]`
}

const undoKey = { key: 'z', ctrlKey: true }

/** Completes a task and waits until its card has gone. */
async function complete(page: Page) {
  const card = await firstCard(page)
  await page.locator(`${card} [data-action=complete]`).click()
  await page.locator(card).waitFor({ state: 'detached' })
  return card
}

const opening =
  (label: string, title: string, key: string, cards = 'main article'): Action =>
  async (page) => {
    await (label === 'Latest' ? goTo(page, 'Today', "Today's Tasks") : goTo(page, 'Latest', 'Recent'))
    await page.locator('main article').nth(screenful).waitFor()
    return { press: `[aria-label="Sidebar"] nav [data-key="${key}"]`, shown: cards, count: screenful, title }
  }

const actions: Record<string, Action> = {
  async 'a ring'(page) {
    await page.locator('main [data-action=complete]:checked').waitFor({ state: 'detached' })
    const ring = `${await firstCard(page)} [data-action=complete]`
    return { press: ring, shown: `${ring}:checked` }
  },
  async 'undo of a completed task'(page) {
    const card = await complete(page)
    return { press: 'body', key: undoKey, shown: `${card} [data-action=complete]:not(:checked)` }
  },
  async 'a move to another day'(page, round) {
    const card = await firstCard(page)
    const day = round % 2 ? 'tomorrow' : 'today'
    await page.locator(`${card} [data-action=move]`).click()
    const button = `[aria-label="Move to ${day}"]`
    await page.locator(button).waitFor()
    return { press: button, shown: `${card} .task-due [datetime="${dayIn(round % 2 ? 1 : 0)}"]` }
  },
  async 'a priority'(page) {
    const card = await firstCard(page)
    const badge = page.locator(`${card} [data-action=priority]`)
    const [name, number] = (await badge.getAttribute('data-priority')) === 'high' ? ['low', 3] : ['high', 1]
    await badge.click()
    const item = `[role=menuitemradio][data-key="${number}"]`
    await page.locator(item).waitFor()
    return { press: item, shown: `${card} [data-priority=${name}]` }
  },
  async 'a line that is ticked'(page) {
    await goTo(page, 'Latest', 'Recent')
    const box = 'main article:has([data-action=line-0]) [data-action=line-0]'
    const isChecked = await page.locator(box).isChecked()
    return { press: box, shown: isChecked ? `${box}:not(:checked)` : `${box}:checked` }
  },
  async 'a line added by the quick line'(page) {
    await goTo(page, 'Latest', 'Recent')
    // A person types when the list is there.
    await page.waitForTimeout(400)
    const text = `Buy milk ${randomUUID()}`
    await page.getByRole('textbox', { name: 'Quick add' }).fill(text)
    return { press: 'form.quick-add', submits: true, shown: 'main article h2', text }
  },
  async 'a note pinned'(page) {
    const pin = '[aria-label="Pin the note"]'
    if ((await page.locator(pin).count()) === 0) {
      await goTo(page, 'Notes', 'Notes')
      await page.locator('main .notes-month a').nth(3).click()
    }
    const isPinned = (await page.locator(pin).getAttribute('aria-pressed')) === 'true'
    return { press: pin, shown: `${pin}[aria-pressed=${!isPinned}]` }
  },
  'opening Today': opening('Today', "Today's Tasks", '1'),
  'opening Latest': opening('Latest', 'Recent', '2'),
  'opening Upcoming': opening('Upcoming', 'Upcoming', '4'),
  'opening Done': opening('Done', 'Done', '5'),
  'opening Notes': opening('Notes', 'Notes', '6', 'main .notes-month li'),
}

/** Shows and selects all tasks. */
async function selectAll(page: Page) {
  while ((await page.locator('main article').count()) < selected) {
    await page.mouse.move(600, 400)
    await page.mouse.wheel(0, 10_000)
    await page.waitForTimeout(100)
  }
  await page.mouse.move(600, 10)
  await page.locator('main article').last().focus()
  await page.keyboard.press('Control+a')
  await page.locator(`[data-selection] [data-action=complete]`).waitFor()
}

const groupActions: Record<string, Action> = {
  async [`completing ${selected} selected tasks`](page, round) {
    if (round >= 0) await page.keyboard.press('Control+z')
    await selectAll(page)
    return { press: 'body', key: { key: 'x' }, shown: 'main article', count: 0 }
  },
  async [`undo of ${selected} completed tasks`](page, round) {
    if (round >= 0) {
      await selectAll(page)
      await page.keyboard.press('x')
    }
    await page.locator('.empty-state').waitFor()
    return { press: 'body', key: undoKey, shown: 'main article', count: screenful }
  },
  async [`a priority of ${selected} selected tasks`](page, round) {
    await selectAll(page)
    await page.locator('[data-selection] [data-action=priority]').click()
    const [name, number] = round % 2 ? ['high', 1] : ['medium', 2]
    const item = `[role=menuitemradio][data-key="${number}"]`
    await page.locator(item).waitFor()
    return { press: item, shown: `main article [data-priority=${name}]`, count: selected }
  },
}

/** Runs in the page. Returns the milliseconds from the press to the frame that shows its result. */
function timeUntilPainted({ press, key, submits, shown, count = 1, title, text }: Press): Promise<number> {
  return new Promise((resolve, reject) => {
    const element = document.querySelector<HTMLElement>(press)
    if (!element) return reject(new Error(`no ${press}`))
    const began = performance.now()
    const isShown = () => {
      const found = [...document.querySelectorAll(shown)]
      if (title !== undefined && document.querySelector('main h1')?.textContent !== title) return false
      if (text !== undefined && !found.some(({ textContent }) => textContent.includes(text))) return false
      return count === 0 ? found.length === 0 : found.length >= count
    }
    const look = () => {
      if (!isShown()) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
    }
    const observer = new MutationObserver(look)
    const everything = { childList: true, subtree: true, characterData: true, attributes: true }
    if (key) element.dispatchEvent(new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true }))
    else if (submits) (element as HTMLFormElement).requestSubmit()
    else element.click()
    observer.observe(document.body, everything)
    // A box is ticked without a mutation.
    look()
  })
}
