import type { Page } from '@playwright/test'
import { tokenKey } from '#contract/limits.ts'
import { launchChromium } from './chromium.ts'
import { median } from './load.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { startDaymark, withSqliteFile } from './servers.ts'

/** The times of each round from an action until the screen shows its result, with the CPU slowed down or not. */
const slowdowns = [1, 4] as const

/** More cards than fit on the screen of the bench; the page holds 50. */
const screenful = 10

/** Measures the time from a click or a key until its result is painted, with the largest list of one page, and 10,000 tasks. */
export async function paint(rounds: number) {
  await withSqliteFile(async (url) => {
    const [of50, of10000] = (await seed(url, [50, 10_000])) as [string, string]
    const daymark = await startDaymark(url)
    const browser = await launchChromium()
    const open = async (token: string) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [tokenKey, token] as const)
      await page.goto(`${daymark.base}/dashboard`)
      await page.locator('main article').first().waitFor()
      return page
    }
    try {
      section('A click on Latest, which has 50 tasks, until the screen is painted')
      await atEachSpeed(await open(of50), 2 * rounds, [50, 150], clickLatest(screenful))
      section('The same until all 50 tasks are painted')
      await atEachSpeed(await open(of50), 2 * rounds, [100, 400], clickLatest(50))
      section('A click on a ring until its tick is painted')
      await atEachSpeed(await open(of10000), 2 * rounds, [16, 64], clickRing)
      section('Enter in the search of 10,000 tasks, of which 50 are found, until the screen is painted')
      await atEachSpeed(await open(of10000), 2 * rounds, [50, 200], searchTasks)
    } finally {
      await browser.close()
      await daymark.stop()
    }
  })
}

async function atEachSpeed(
  page: Page,
  rounds: number,
  most: [number, number],
  measure: (page: Page, round: number) => Promise<number>,
) {
  const session = await page.context().newCDPSession(page)
  for (const [index, rate] of slowdowns.entries()) {
    await session.send('Emulation.setCPUThrottlingRate', { rate })
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push(await measure(page, round))
    row(`CPU throttled ${rate} times (at most ${most[index]} ms)`, `${median(times).toFixed(0)} ms`)
  }
  await page.close()
}

const clickLatest =
  (cards: number) =>
  async (page: Page): Promise<number> => {
    await page.getByRole('button', { name: 'Today', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: "Today's Tasks" }).waitFor()
    return await page.evaluate(timeUntilPainted, {
      press: '[aria-label="Sidebar"] nav button:nth-of-type(2)',
      title: 'Recent',
      cards,
    })
  }

async function searchTasks(page: Page, round: number): Promise<number> {
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1, name: "Today's Tasks" }).waitFor()
  await page.getByRole('searchbox').fill(`delivery ${round % 10}`)
  return await page.evaluate(timeUntilPainted, { press: 'Enter', title: 'Search results', cards: screenful })
}

/** The first frame after the click shows the tick if it is painted without delay. */
async function clickRing(page: Page): Promise<number> {
  const ring = page.locator('main [data-action=complete]:not(:checked)').first()
  const time = await ring.evaluate(
    (box: HTMLInputElement) =>
      new Promise<number>((resolve, reject) => {
        const began = performance.now()
        box.click()
        requestAnimationFrame(() =>
          setTimeout(() => (box.checked ? resolve(performance.now() - began) : reject(new Error('no tick')))),
        )
      }),
  )
  await page.locator('main [data-action=complete]:checked').waitFor({ state: 'detached' })
  return time
}

/** Runs in the page. Returns the milliseconds from the click or the key to the frame that shows the cards. */
function timeUntilPainted(wanted: { press: string; title: string; cards: number }): Promise<number> {
  return new Promise((resolve) => {
    const began = performance.now()
    const look = () => {
      const isThere = document.querySelector('h1')?.textContent === wanted.title
      if (!isThere || document.querySelectorAll('main article').length < wanted.cards) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
    if (wanted.press === 'Enter') {
      const key = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
      document.querySelector('input[type=search]')?.dispatchEvent(key)
    } else document.querySelector<HTMLElement>(wanted.press)?.click()
  })
}
