import { Readable } from 'node:stream'
import type { Page } from '@playwright/test'
import { importsPerCall, tokenKey } from '#contract/limits.ts'
import { openDatabase } from '../server/database/open-database.ts'
import { newId } from '../server/new-id.ts'
import { insertVersion } from '../server/notes/note-versions.ts'
import { sessionKeyOf } from '../server/sessions/token.ts'
import { launchChromium } from './chromium.ts'
import { listing, median } from './load.ts'
import { memory } from './process.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { engines, startDaymark, withSqliteFile } from './servers.ts'

/** The rows of the imported table, and the megabytes of the exported account: those of `ACCOUNT_QUOTA`. */
const [rows, megabytes] = [20_000, Number(process.env.BENCH_EXPORT_MB ?? 1024)]

/** Measures the preview, the import and the undo of 20,000 rows in a page, and the lists of another person during both and an export. */
export async function imports(rounds: number) {
  await measurePages(rounds)
  for (const [engine, withDatabase] of engines())
    for (let round = 0; round < rounds; round++) {
      section(`Export of ${megabytes} MB, import of ${rows} tasks, ${engine}, round ${round + 1}`)
      await withDatabase(measureServer)
    }
}

async function measurePages(rounds: number) {
  await withSqliteFile(async (url) => {
    const tokens = await seed(
      url,
      Array.from({ length: rounds }, () => 0),
    )
    const daymark = await startDaymark(url)
    const browser = await launchChromium()
    const times: Record<string, number[]> = {}
    try {
      for (const token of tokens) {
        const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
        await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [
          tokenKey,
          token,
        ] as const)
        await page.goto(`${daymark.base}/dashboard`)
        // Loads the chunks that are loaded when the page is idle.
        await page.waitForLoadState('load')
        await page.waitForTimeout(3000)
        for (const [name, time] of Object.entries(await measurePage(page)))
          times[name] = [...(times[name] ?? []), time]
        await page.close()
      }
    } finally {
      await browser.close()
      await daymark.stop()
    }
    section(`Import of ${rows} rows in a page`)
    for (const [name, all] of Object.entries(times)) row(name, median(all))
  })
}

async function measurePage(page: Page) {
  const preview = await page.evaluate(dropTable, rows)
  const frame = await page.evaluate(scrollThrough)
  const press = async (name: string, shown: string) => {
    const began = performance.now()
    await page.getByRole('button', { name }).click()
    await page.getByText(shown).waitFor({ timeout: 600_000 })
    return (performance.now() - began) / 1000
  }
  const count = rows.toLocaleString('en')
  return {
    'preview, s (at most 2)': preview / 1000,
    '95 % of the frames while scrolling, ms': frame,
    'import, s': await press(`Import ${count}`, `${count} added`),
    'undo, s': await press('Undo the import', `${count} taken back`),
  }
}

/** Drops a table on the page. Returns the milliseconds until its first rows are painted. */
async function dropTable(count: number) {
  const lines = Array.from(
    { length: count },
    (_, index) =>
      `Task ${index},"More, with ""words""",${(index % 28) + 1}/1/2027,high,Project ${index % 50}`,
  )
  const file = new File([`Title,Notes,Due,Priority,Project\n${lines.join('\n')}\n`], 'tasks.csv')
  const dragged = (type: string) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(file)
    const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
    return !document.body.dispatchEvent(event)
  }
  dragged('dragenter')
  // The page takes files once what is loaded later is there.
  while (!dragged('dragover')) await new Promise((resolve) => setTimeout(resolve, 100))
  const began = performance.now()
  dragged('drop')
  await new Promise<void>((resolve) => {
    const look = () =>
      document.querySelector('dialog[open] tbody td')
        ? requestAnimationFrame(() => setTimeout(resolve))
        : requestAnimationFrame(look)
    look()
  })
  return performance.now() - began
}

/** Scrolls through the table in steps of a screen. Returns the time below which 95 % of the frames are. */
async function scrollThrough() {
  const dialog = document.querySelector('dialog[open]') as HTMLElement
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const times: number[] = []
  for (let last = await frame(), step = 0; step < 300; step++) {
    dialog.scrollBy({ top: 700, behavior: 'instant' })
    const now = await frame()
    times.push(now - last)
    last = now
  }
  dialog.scrollTo({ top: dialog.scrollHeight, behavior: 'instant' })
  await frame()
  return times.sort((one, other) => one - other)[Math.floor(times.length * 0.95)] as number
}

async function measureServer(url: URL) {
  const [reader, owner] = (await seed(url, [50, 1])) as [string, string]
  await addVersions(url, sessionKeyOf(owner)?.userId ?? '')
  const daymark = await startDaymark(url)
  try {
    const before = await listing(daymark.base, reader, async (count) => count === 500)
    const [memoryBefore, memories] = [await memory(daymark.pid), [] as number[]]
    const lists = async (work: Promise<unknown>) => {
      let isOver = false
      const ended = work.finally(() => {
        isOver = true
      })
      const times = await listing(daymark.base, reader, async (count) => {
        if (count % 20 === 0) memories.push(await memory(daymark.pid))
        return isOver
      })
      await ended
      return times
    }
    const began = performance.now()
    const exporting = await lists(exportAll(daymark.base, owner))
    row('export, s', (performance.now() - began) / 1000)
    row('more memory of the server at most, MB', Math.max(...memories) - memoryBefore)
    const importing = await lists(importAll(daymark.base, owner))
    row('median of a list without them, ms', median(before))
    row('ratio of the median during the export (at most 1.25)', median(exporting) / median(before))
    row('ratio of the median during the import (at most 1.25)', median(importing) / median(before))
  } finally {
    await daymark.stop()
  }
}

/** Adds earlier texts of a note, in English that compresses like a person's. */
async function addVersions(url: URL, user_id: string) {
  const database = await openDatabase(url)
  const note_id = newId()
  const words = 'Ask about the delivery in March; prices as agreed on the phone. '
  // The server thins out texts that are older than a day.
  const version = { user_id, note_id, at: Date.now(), device: '', by: '', thinned: 0 }
  for (let from = 0; from < megabytes * 10; from += 100)
    await database.write(async (db) => {
      for (let seq = from; seq < Math.min(from + 100, megabytes * 10); seq++)
        await insertVersion(db, { ...version, seq: seq + 10, text: `${seq} ${words.repeat(1600)}` })
    })
  await database.close()
}

const headersOf = (token: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
})

async function exportAll(base: string, token: string) {
  const begun = await fetch(`${base}/api/v1/export`, { method: 'POST', headers: headersOf(token) })
  const { export: given } = (await begun.json()) as { export: { key: string } }
  const { body, status } = await fetch(`${base}/api/v1/export?key=${given.key}`)
  if (status !== 200 || !body) throw new Error(`the export was answered with ${status}`)
  for await (const _ of Readable.fromWeb(body as never));
}

async function importAll(base: string, token: string) {
  const task = { dueDate: '2027-01-01', priority: 'low', createdAt: '2026-01-01T00:00:00Z', body: 'More' }
  const id = newId()
  for (let from = 0; from < rows; from += importsPerCall) {
    const tasks = Array.from({ length: importsPerCall }, (_, index) => ({
      ...{ ...task, _id: newId(), title: `Task ${from + index}` },
    }))
    const { status } = await fetch(`${base}/api/v1/import`, {
      ...{ method: 'POST', headers: headersOf(token), body: JSON.stringify({ import: id, tasks }) },
    })
    if (status !== 200) throw new Error(`the import was answered with ${status}`)
  }
}
