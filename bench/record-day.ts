import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Request } from '@playwright/test'
import { apiBase, tokenKey } from '#contract/limits.ts'
import {
  addDialog,
  cards,
  chip,
  editDialog,
  fillTask,
  openDashboard,
  sidebarButton,
  undoBar,
} from '../e2e/dashboard-page.ts'
import { day } from '../e2e/days.ts'
import { editor, noteLink, notePane, notesOf } from '../e2e/notes-page.ts'
import { startServer } from '../e2e/server.ts'
import { register } from '../e2e/user.ts'
import { launchChromium } from './chromium.ts'
import { recordingOf } from './day-recording.ts'

// Records the calls of one person's day in `day.json`: `npm run build && node bench/record-day.ts && npx biome format --write bench`.

const timezoneId = 'Europe/Lisbon'
const server = await startServer()
const user = await register(server.address)
for (let number = 0; number < 75; number++)
  await user.add({
    title: `Task ${number}: ask about the delivery in March`,
    dueDate: day((number % 12) - 1, timezoneId),
    priority: (['low', 'medium', 'high'] as const)[number % 3] ?? 'low',
  })
for (let number = 0; number < 5; number++)
  await notesOf(server, user).add(`Meeting ${number}\n\nWhat was said.`)

const browser = await launchChromium()
const context = await browser.newContext({
  baseURL: server.address,
  timezoneId,
  locale: 'en-GB',
  viewport: { width: 1280, height: 800 },
})
await context.addInitScript(([key, value]) => localStorage.setItem(key, value), [
  tokenKey,
  user.token,
] as const)
const requests: Request[] = []
context.on('request', (request) => {
  if (new URL(request.url()).pathname.startsWith(apiBase)) requests.push(request)
})

const page = await context.newPage()
page.setDefaultTimeout(10_000)
page.on('dialog', (dialog) => dialog.accept())
await open(page)
const opening = requests.length
/** Those that the browser adds are reported later than the others, and the same for each call. */
const browserHeaders = (await requests[0]?.allHeaders()) ?? {}
try {
  await morning(page)
  const second = await context.newPage()
  await open(second)
  await page.bringToFront()
  await afternoon(page)
  await second.close()
  const recording = recordingOf(requests, { opening, browserHeaders, today: day(0, timezoneId) })
  await writeFile(join(import.meta.dirname, 'day.json'), recording)
} finally {
  await browser.close()
  await server.stop()
}

/** Longer than the page takes for the effects of an action: the toast, the prefetch, the save of a note. */
async function pause(page: Page) {
  await page.waitForTimeout(700)
}

async function open(page: Page) {
  await openDashboard(page)
  await cards(page).first().waitFor()
  await pause(page)
}

async function press(page: Page, ...keys: string[]) {
  for (const key of keys) await page.keyboard.press(key)
  await pause(page)
}

/** Completes the task of the card at this position. */
async function tick(page: Page, index: number) {
  await page
    .getByRole('checkbox', { name: /^Complete / })
    .nth(index)
    .click()
  await undoBar(page).getByText('Completed').waitFor()
  await pause(page)
}

async function quickAdd(page: Page, text: string) {
  await page.keyboard.press('q')
  await page.keyboard.type(text)
  await chip(page, /^Due/).waitFor()
  await press(page, 'Enter')
  await undoBar(page).getByText('Added').waitFor()
  await press(page, 'Escape')
}

/** Types as a person does, with a pause after each part, in which the page saves. */
async function write(page: Page, ...parts: string[]) {
  for (const part of parts) {
    await page.keyboard.type(part, { delay: 30 })
    await notePane(page).getByText('Saved', { exact: true }).waitFor()
  }
}

async function morning(page: Page) {
  await press(page, '4')
  await press(page, '1')
  await quickAdd(page, 'Call Ann about the invoice today p1')
  await quickAdd(page, 'Book the ferry tomorrow')
  await tick(page, 0)
  await press(page, 'ArrowDown', 'm')
  await page.getByRole('button', { name: 'Move to tomorrow', exact: true }).click()
  await pause(page)
  await tick(page, 2)
  await press(page, '2')
  await press(page, '3')
  await press(page, 'n')
  await fillTask(addDialog(page), {
    title: 'Prepare the meeting on Thursday',
    body: 'The figures of October, and who presents what.',
    dueDate: day(2, timezoneId),
    priority: 'high',
  })
  await press(page, 'ControlOrMeta+Enter')
  await press(page, '1')
  await page.keyboard.press('w')
  await editor(page).waitFor()
  await write(
    page,
    'Meeting with Ann\n\nThe delivery comes in March. ',
    'She sends the new prices on Friday, and we answer by Monday. ',
    'The address has changed: see the second page.\n\n- [ ] ask about the invoice\n',
    'Next meeting on Thursday at ten.',
  )
}

async function afternoon(page: Page) {
  await sidebarButton(page, 'Today').click()
  await tick(page, 1)
  await tick(page, 0)
  await press(page, 'ControlOrMeta+z')
  await tick(page, 3)
  await press(page, 'ArrowDown', 'e')
  await fillTask(editDialog(page), { title: 'Ask about the delivery in April' })
  await press(page, 'ControlOrMeta+Enter')
  await quickAdd(page, 'Send the slides to Bo friday')
  await page.keyboard.press('/')
  await page.keyboard.type('delivery', { delay: 120 })
  await pause(page)
  await press(page, 'Escape')
  await press(page, '6')
  await noteLink(page, 'Meeting with Ann').click()
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await write(page, '\nBo brings the samples. ', 'Ann has confirmed the prices.')
  await sidebarButton(page, 'Today').click()
  await tick(page, 0)
  await tick(page, 0)
  await press(page, 'ArrowDown', 'Delete')
}
