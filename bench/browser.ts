import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BrowserContext, chromium } from '@playwright/test'
import { tokenKey } from '#contract/limits.ts'
import { chromiumPath } from './chromium.ts'
import { median } from './load.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { startDaymark, withSqliteFile } from './servers.ts'

const debuggingPort = 9333

/** Runs Lighthouse with the mobile preset on every page. */
export async function browser(rounds: number) {
  await withSqliteFile(async (url) => {
    const [token] = (await seed(url, [50])) as [string]
    const daymark = await startDaymark(url)
    const folder = await mkdtemp(join(tmpdir(), 'daymark-browser-'))
    const context = await chromium.launchPersistentContext(folder, {
      executablePath: chromiumPath,
      viewport: { width: 1280, height: 800 },
      args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${debuggingPort}`],
    })
    try {
      await lighthouse(daymark.base, ['/', '/about', '/login', '/signup'], rounds)
      await signIn(context, daymark.base, token)
      await lighthouse(daymark.base, ['/dashboard'], rounds)
    } finally {
      await context.close()
      await daymark.stop()
      await rm(folder, { recursive: true })
    }
  })
}

async function signIn(context: BrowserContext, base: string, token: string) {
  const page = await context.newPage()
  await page.goto(`${base}/about`)
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [tokenKey, token] as const)
  await page.close()
}

const categories = ['performance', 'accessibility', 'best-practices', 'seo']

async function lighthouse(base: string, paths: string[], rounds: number) {
  section(`Lighthouse, mobile: ${categories.join(', ')}`)
  for (const path of paths) {
    const runs: number[][] = []
    for (let round = 0; round < rounds; round++) runs.push(await scores(base + path))
    row(path, categories.map((_, index) => median(runs.map((run) => run[index] as number))).join(', '))
  }
}

/** Runs Lighthouse in the browser that is already open, and keeps its storage, which contains the token. */
async function scores(url: string): Promise<number[]> {
  const report = join(tmpdir(), `lighthouse-${process.pid}.json`)
  const options = [`--port=${debuggingPort}`, '--disable-storage-reset', '--quiet']
  await promisify(execFile)('npx', [
    ...['--yes', 'lighthouse@13.5.0', url, '--output=json', `--output-path=${report}`],
    ...[`--only-categories=${categories.join()}`, ...options],
  ])
  const results = JSON.parse(await readFile(report, 'utf8'))
  await rm(report)
  return categories.map((category) => Math.round(results.categories[category].score * 100))
}
