import assert from 'node:assert/strict'
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { type CDPSession, chromium, type Page } from '@playwright/test'
import { apiBase, tokenKey } from '#contract/limits.ts'
import { register } from '../e2e/user.ts'
import { eveningOf, isIn, missed, moves, offline, readWeeks } from '../server/testing/six-weeks/read-weeks.ts'

// Forty repeated tasks over six weeks, on the open pages of a computer and a phone, whose clocks and that of the server this script
// moves. The changes are those of `server/tasks/six-weeks.test.ts`, and Today is compared with the same lists day by day.

const home = 'Europe/Berlin'
/** Days after the others, on which both devices are in Tokyo. Occurrences are skipped there, which leads to the same next days. */
const vacation = [36, 39] as const

const cards = (page: Page) => page.getByRole('article')

const unsent = (page: Page) =>
  page.evaluate<number>('Object.keys(localStorage).filter((key) => key.startsWith("outbox ")).length')

execFileSync(process.execPath, [join(import.meta.dirname, '../web/build.ts')], { stdio: 'inherit' })

const folder = await mkdtemp(join(tmpdir(), 'daymark-six-weeks-'))
const server = fork(join(import.meta.dirname, '../server/main.ts'), {
  execArgv: ['--import', join(import.meta.dirname, 'moved-clock.ts')],
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  env: { ...process.env, HOST: '127.0.0.1', PORT: '0', DATABASE_URL: `file:${folder}/daymark.sqlite` },
})
const address = await printedAddress(server.stdout as Readable)
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  // A run begins after the one before, because the server has the day of a zone until it ends.
  for (const name of ['spring', 'autumn']) await passWeeks(name)
} finally {
  await browser.close()
  server.kill()
  await once(server, 'exit')
  await rm(folder, { recursive: true })
}

type Device = { page: Page; session: CDPSession; name: string }

async function passWeeks(name: string) {
  const { tasks, days } = readWeeks(name)
  const first = days[0]?.day as string
  await moveServer(eveningOf(first))
  const { token } = await register(address)
  await addTasks(token, tasks)
  const [computer, phone] = [await open(token, first, 'computer'), await open(token, first, 'phone')]
  const devices = [computer, phone]
  for (const [index, { day, titles }] of days.entries()) {
    const isAway = isIn(vacation, index)
    // 14:00 in Tokyo.
    const now = isAway ? new Date(`${day}T05:00Z`) : eveningOf(day)
    await moveServer(now)
    if (index === offline[0]) await phone.page.context().setOffline(true)
    if (index === offline[1]) await phone.page.context().setOffline(false)
    for (const device of devices) await wake(device, now, isAway ? 'Asia/Tokyo' : home)
    // The pages of computers are opened again now and then.
    if (index % 5 === 0) await load(computer.page)
    // A phone that has loaded the code of all presses can go offline without the service worker.
    const [using, other] = isIn(offline, index) || index % 3 === 1 ? devices.toReversed() : devices
    const { page } = using as Device
    if (moves.includes(index)) await moveOn(page, days[index + 4]?.day as string)
    const shownOn = isIn(offline, index) ? [using as Device] : devices
    for (const { page, name: device } of shownOn) await expectToday(page, titles, `${device}, ${day}`)
    if (isIn(missed, index)) continue
    if (isAway) await skipAll(page, titles)
    else await completeAll(page, titles, index % 2 === 0)
    await expectToday(page, [], `${(using as Device).name}, in the evening of ${day}`)
    if (isIn(offline, index)) continue
    await until(`the changes of ${day} are stored`, async () => assert.equal(await unsent(page), 0))
    await expectToday((other as Device).page, [], `${(other as Device).name}, in the evening of ${day}`)
  }
  for (const { page } of devices) await page.context().close()
  console.log(
    `Six weeks in ${name}: Today was as worked out on each of ${days.length} days, on both devices.`,
  )
}

async function printedAddress(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [address] = line.match(/http:\/\/\S+/) ?? []
    if (address) return address
  }
  throw new Error('The server stopped before it printed its address.')
}

async function moveServer(now: Date) {
  server.send(now.getTime())
  await once(server, 'message')
}

async function addTasks(token: string, tasks: ReturnType<typeof readWeeks>['tasks']) {
  const changes = tasks.map(([title, dueDate, repeat, repeatFrom = 'due']) => ({
    ...{ mutation: crypto.randomUUID(), item: crypto.randomUUID() },
    set: { title, body: '', priority: 'low', dueDate, repeat, repeatFrom },
  }))
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const body = JSON.stringify({ changes })
  const { status } = await fetch(`${address}${apiBase}/changes`, { method: 'POST', headers, body })
  assert.equal(status, 200)
}

async function open(token: string, day: string, name: string): Promise<Device> {
  const viewport = name === 'phone' ? { width: 380, height: 760 } : { width: 1280, height: 800 }
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', serviceWorkers: 'block' })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setTimezoneOverride', { timezoneId: home })
  await page.clock.install({ time: eveningOf(day) })
  await context.addInitScript(`localStorage.setItem('${tokenKey}', '${token}')`)
  await load(page)
  return { page, session, name }
}

/** Opens Today. */
async function load(page: Page) {
  await page.goto(`${address}/dashboard`, { waitUntil: 'domcontentloaded' })
  await page.locator('[role=grid]').waitFor({ state: 'attached' })
}

/** The page is shown again on another day, and perhaps in another zone. */
async function wake({ page, session }: Device, now: Date, timezoneId: string) {
  await session.send('Emulation.setTimezoneOverride', { timezoneId })
  await page.clock.setSystemTime(now)
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
}

function expectToday(page: Page, titles: string[], where: string) {
  return until(`Today on the ${where}`, async () => {
    const fold = page.getByRole('button', { name: /^Show \d+ more overdue$/ })
    if (await fold.isVisible()) await fold.click({ timeout: 2000 })
    assert.deepEqual((await cards(page).getByRole('heading').allTextContents()).sort(), titles)
  })
}

/** By one key for all of them, or one ring after the other. */
async function completeAll(page: Page, titles: string[], isAtOnce: boolean) {
  if (!isAtOnce) for (const title of titles) await complete(page, title)
  // On a new day, the list is loaded again, which ends a selection.
  else
    await until('all tasks are completed', async () => {
      await selectAll(page, await cards(page).count())
      await page.keyboard.press('x')
      await cards(page).first().waitFor({ state: 'detached', timeout: 5000 })
    })
}

/** Cards move while others leave, so that a press may meet no ring. */
async function complete(page: Page, title: string) {
  const ring = page.getByRole('checkbox', { name: `Complete ${title}`, exact: true, checked: false })
  await until(`${title} is completed`, async () => {
    if ((await ring.count()) > 0) await ring.click({ timeout: 2000 })
    assert.equal(await ring.count(), 0)
  })
}

async function skipAll(page: Page, titles: string[]) {
  await selectAll(page, titles.length)
  await page.keyboard.press('m')
  await page.getByRole('button', { name: /^Skip (this one|those that repeat)$/ }).click()
}

function selectAll(page: Page, count: number) {
  return until('All tasks of Today are selected', async () => {
    await cards(page).first().focus({ timeout: 2000 })
    await page.keyboard.press('ControlOrMeta+a')
    const text = await page.locator('.selection-count').textContent({ timeout: 2000 })
    assert.equal(text, `${count} selected`)
  })
}

/** Moves the tasks that are due today and are called so. */
async function moveOn(page: Page, day: string) {
  const moved = cards(page).filter({ hasText: /moved \d/ })
  await moved.first().waitFor()
  for (let left = await moved.count(); left > 0; left--) {
    await moved.first().focus()
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog', { name: 'Move' })
    await dialog.getByLabel('Another day').fill(day)
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await until('the task is moved', async () => assert.equal(await moved.count(), left - 1))
  }
}

/** Waits until this does not throw. After half a minute, it fails with the last error. */
async function until(what: string, check: () => Promise<void>) {
  for (const began = performance.now(); ; ) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() - began < 30_000) await delay(50)
      else throw new Error(what, { cause: error })
    }
  }
}
