import { setTimeout } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { tokenKey } from '#contract/limits.ts'
import { launchChromium } from './chromium.ts'
import { median } from './load.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { startDaymark, withSqliteFile } from './servers.ts'

/** Measures from the start of the page's scripts until its cards, which this device has kept, are painted without a network. */
export async function secondVisit(rounds: number) {
  await withSqliteFile(async (url) => {
    const counts = [10_000, 100_000]
    const tokens = await seed(url, counts)
    const daymark = await startDaymark(url)
    const browser = await launchChromium()
    for (const [index, count] of counts.entries()) {
      section(`A second visit with ${count.toLocaleString('en')} tasks, without a network`)
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      const page = await context.newPage()
      await page.addInitScript(watch, [tokenKey, tokens[index] as string] as const)
      let calls = 0
      page.on('response', (response) => {
        const { pathname } = new URL(response.url())
        if (pathname.endsWith('/changes') && response.request().method() === 'GET') calls++
      })
      await page.goto(`${daymark.base}/dashboard`)
      while (!(await page.evaluate(isKept))) await setTimeout(500)
      row('calls of the first visit for all tasks', `${calls}`)
      row('longest task of the first visit', `${(await longestTask(page)).toFixed(0)} ms`)
      await context.setOffline(true)
      await page.evaluate(() => navigator.serviceWorker.ready)
      const times: number[] = []
      const longest: number[] = []
      for (let round = 0; round < 2 * rounds; round++) {
        await page.reload()
        times.push(await page.evaluate(paintedAfter))
        await setTimeout(5000)
        longest.push(await longestTask(page))
      }
      row('cards are painted', `${median(times).toFixed(0)} ms`)
      row('longest task until all are held', `${median(longest).toFixed(0)} ms`)
      row('memory of all tasks and the page', `${await heapOf(page)} MB`)
      await context.close()
    }
    await browser.close()
    await daymark.stop()
  })
}

type Watched = { longTasks: number[]; painted: Promise<number> }

/** Runs in the page before its scripts. */
function watch([key, token]: readonly [string, string]) {
  localStorage.setItem(key, token)
  const longTasks: number[] = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration)
  }).observe({
    type: 'longtask',
    buffered: true,
  })
  const painted = new Promise<number>((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('main article')) return
      observer.disconnect()
      requestAnimationFrame(() => window.setTimeout(() => resolve(performance.now())))
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  Object.assign(window, { watched: { longTasks, painted } })
}

async function paintedAfter() {
  const { painted } = window['watched' as keyof typeof window] as unknown as Watched
  const [{ domInteractive }] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming]
  return (await painted) - domInteractive
}

const longestTask = (page: Page) =>
  page.evaluate(() => {
    const { longTasks } = window['watched' as keyof typeof window] as unknown as Watched
    return Math.max(0, ...longTasks)
  })

/** The heap of the page after a garbage collection, in MB. */
async function heapOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return (usedSize / 1e6).toFixed(0)
}

const isKept = async () => {
  if (!(await indexedDB.databases()).some(({ name }) => name === 'daymark')) return false
  return await new Promise<boolean>((resolve) => {
    const opening = indexedDB.open('daymark')
    opening.onsuccess = () => {
      const request = opening.result.transaction('state').objectStore('state').get('state')
      request.onsuccess = () => {
        opening.result.close()
        resolve(request.result?.cursor !== undefined)
      }
    }
  })
}
