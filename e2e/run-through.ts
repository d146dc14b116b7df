import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { createServer } from 'vite'
import { apiBase } from '#contract/limits.ts'
import { freePort } from '../server/testing/free-port.ts'
import { settle } from './calls.ts'
import { common, openInspector, type Profiler, type Ran, untilQuiet } from './coverage.ts'
import { editButton, editDialog, openDashboard, quickLine, undoBar } from './dashboard-page.ts'
import { noonZone } from './days.ts'
import { editor, notePath, notesOf, state } from './notes-page.ts'
import { startServer } from './server.ts'
import { signIn } from './sign-in.ts'
import { register } from './user.ts'

const root = join(import.meta.dirname, '..')

/**
 * Runs an addition, an edit, a key in a note and an idle second, twice each, and returns the functions that ran both times: only
 * in one of them does the page look at its clock. The page comes unbundled, as Vite serves it to developers. The timers of the
 * server stand still, except in the idle second.
 */
export async function measure(browser: Browser): Promise<Record<string, Ran>> {
  const port = await freePort()
  const inspect = `--inspect=127.0.0.1:${port} --inspect-publish-uid=http`
  const server = await startServer(undefined, undefined, {
    NODE_OPTIONS: `${inspect} --import=data:text/javascript,${encodeURIComponent(heldTimers)}`,
  })
  const inspector = await openInspector(port)
  const cacheDir = await mkdtemp(join(tmpdir(), 'daymark-vite-'))
  const vite = await createServer({
    root: join(root, 'web'),
    configFile: join(root, 'vite.config.ts'),
    cacheDir,
    logLevel: 'error',
    optimizeDeps: {
      entries: ['**/*.{ts,tsx}', '!**/*.test.ts', '!{hostile,worker}/**', '!**/testing/**', '!build.ts'],
    },
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null, proxy: { [apiBase]: server.address } },
  })
  await vite.listen()
  const address = new URL(vite.resolvedUrls?.local[0] ?? '').origin
  const context = await browser.newContext({
    baseURL: address,
    timezoneId: noonZone,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    const ofPage: Profiler = (method, parameters) =>
      session.send(method as 'Profiler.enable', parameters as undefined)
    const ofServer: Profiler = inspector.call
    for (const profiler of [ofPage, ofServer]) {
      await profiler('Profiler.enable')
      await profiler('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    }
    const ranIn = async (act: () => Promise<unknown>) => {
      await untilQuiet([ofPage, ofServer])
      await act()
      return await untilQuiet([ofPage, ofServer])
    }
    const inBoth = async (act: () => Promise<unknown>) => common(await ranIn(act), await ranIn(act))

    const user = await register(server.address)
    const task = await user.add({ title: 'Call Ann' })
    const note = await notesOf(server, user).add('Meeting\n\nWhat was said.')
    await signIn(page, address, user.token)
    await openDashboard(page)
    await quickLine(page).focus()
    await ranIn(() => add(page))
    const addition = await inBoth(() => add(page))
    await ranIn(() => edit(page, task.title))
    const change = await inBoth(() => edit(page, task.title))
    const idleSecond = await inBoth(() => ofServer('Runtime.evaluate', { expression: 'pass(1000)' }))
    await page.goto(notePath(note._id))
    await editor(page).click()
    await ranIn(() => type(page))
    const key = await inBoth(() => type(page))
    return {
      'an added line': addition,
      'an edit in the dialog': change,
      'a key in a note': key,
      'an idle second': idleSecond,
    }
  } finally {
    await context.close()
    await vite.close()
    inspector.close()
    await server.stop()
    await rm(cacheDir, { recursive: true })
  }
}

async function add(page: Page) {
  await page.keyboard.type('Water the plants')
  await page.keyboard.press('Enter')
  await undoBar(page).getByText('Added').waitFor()
  await settle(page, [])
}

async function edit(page: Page, title: string) {
  await editButton(page, title).click()
  await editDialog(page).getByLabel('Body', { exact: true }).fill(crypto.randomUUID())
  await page.keyboard.press('ControlOrMeta+Enter')
  await editDialog(page).waitFor({ state: 'detached' })
  await settle(page, [])
}

async function type(page: Page) {
  const saved = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.keyboard.press('x')
  await saved
  await state(page, 'Saved')
}

/** In the server: a timer of half a second and more waits until `pass` is called with its time. */
const heldTimers = `
  delete process.env.NODE_OPTIONS
  const held = new Map()
  const [start, clear] = [setTimeout, clearTimeout]
  globalThis.setTimeout = (work, time, ...values) => {
    if (!(time >= 500)) return start(work, time, ...values)
    const timer = start(() => {}, 2 ** 31 - 1)
    held.set(timer, { work: () => work(...values), time })
    return timer
  }
  globalThis.clearTimeout = (timer) => {
    held.delete(timer)
    clear(timer)
  }
  globalThis.pass = (time) => {
    for (const [timer, { work, time: wanted }] of [...held]) {
      if (wanted > time) continue
      clearTimeout(timer)
      work()
    }
  }`
