import { randomUUID } from 'node:crypto'
import type { CDPSession, Page } from '@playwright/test'
import { apiBase, tokenKey } from '#contract/limits.ts'
import { launchChromium } from './chromium.ts'
import { median } from './load.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { startDaymark, withSqliteFile } from './servers.ts'

const length = 100_000
const paragraph =
  '## A heading\n\nSome *words* with a [link](https://example.org/page), `code` and #tags.\n\n- [ ] one\n- [x] two\n\n'

/** The notes by their titles, shorter than the limit, so that typing fits. */
const texts: Record<string, string> = {
  'Usual note': paragraph.repeat(20),
  'Long note': paragraph.repeat(length / paragraph.length).slice(0, length - 2000),
  'Long line': 'words and more words '.repeat(length).slice(0, length - 2000),
}

const keystrokes = 120
const slowdowns = [1, 4]

/** Types into notes of 2,000 and 100,000 characters, and opens them, at full speed and with the CPU throttled. */
export async function noteTyping(rounds: number) {
  await withSqliteFile(async (url) => {
    const [token] = (await seed(url, [0])) as [string]
    const daymark = await startDaymark(url)
    const chrome = await launchChromium()
    try {
      const page = await chrome.newPage({ baseURL: daymark.base, viewport: { width: 1280, height: 800 } })
      await page.goto('/about')
      await page.evaluate(([key, value]) => localStorage.setItem(key, value), [tokenKey, token] as const)
      const session = await page.context().newCDPSession(page)
      // The time that the processor spent: other load on the machine hardly changes it.
      await session.send('Performance.enable', { timeDomain: 'threadTicks' })
      const ids = new Map<string, string>()
      for (const [title, text] of Object.entries(texts))
        ids.set(title, await add(daymark.base, token, `${title}\n\n${text}`))
      for (const pressed of [press, 0]) await opening(page, session, rounds, pressed)
      for (const [title, id] of ids) {
        section(`Typing in the middle of “${title}” (${texts[title]?.length} characters)`)
        await page.goto(`/dashboard/notes/${id}`)
        await caretToMiddle(page)
        await typing(page, session)
      }
      section('Typing in the middle of a text area without anything else that holds “Long note”')
      await page.goto('/about')
      await page.evaluate(showTextArea, texts['Long note'] as string)
      await typing(page, session)
      section('Typing in an empty editable element without anything else')
      await page.goto('/about')
      await page.evaluate(showEditable)
      await typing(page, session)
    } finally {
      await chrome.close()
      await daymark.stop()
    }
  })
}

async function add(base: string, token: string, text: string): Promise<string> {
  const item = randomUUID()
  const changes = [{ mutation: randomUUID(), item, kind: 'note', base: 0, set: { text } }]
  const response = await fetch(`${base}${apiBase}/changes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ changes }),
  })
  if (!response.ok) throw new Error(await response.text())
  return item
}

async function caretToMiddle(page: Page) {
  const editor = page.locator('.cm-content')
  await editor.waitFor()
  await page.locator('.cm-scroller').evaluate((scroller) => {
    scroller.scrollTop = scroller.scrollHeight / 2
  })
  // Past the end of a line, in the middle of the pane.
  await page.mouse.click(1000, 400)
  await page.keyboard.press('End')
}

/** Runs in the page. */
function showTextArea(text: string) {
  const area = document.createElement('textarea')
  document.body.replaceChildren(area)
  area.cols = 80
  area.rows = 40
  area.value = text
  area.setSelectionRange(text.length / 2, text.length / 2)
  area.focus()
}

/** Runs in the page. The least that a browser does for a key. */
function showEditable() {
  const element = document.createElement('div')
  document.body.replaceChildren(element)
  element.contentEditable = 'true'
  element.style.whiteSpace = 'pre-wrap'
  element.focus()
}

async function typing(page: Page, session: CDPSession) {
  for (const rate of slowdowns) {
    await session.send('Emulation.setCPUThrottlingRate', { rate })
    await page.evaluate(recordKeys)
    const before = await mainThread(session)
    // At most 15 keys a second, faster than most people type.
    for (let typed = 0; typed < keystrokes; typed++)
      await page.keyboard.type(typed % 6 === 5 ? ' ' : 'a', { delay: 66 })
    const after = await mainThread(session)
    row(
      `from a key to its painted frame, CPU throttled ${rate} times`,
      summary(await page.evaluate(keyTimes)),
    )
    const perKey = (work: keyof typeof after) => ((after[work] - before[work]) / keystrokes).toFixed(1)
    row(
      `processor time of the main thread per key, CPU throttled ${rate} times`,
      `${perKey('all')} ms, of which script ${perKey('script')}, style ${perKey('style')}, layout ${perKey('layout')}`,
    )
  }
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
}

/** Milliseconds that the main thread has worked. The rest of `all` is editing, painting, compositing and collecting garbage. */
async function mainThread(session: CDPSession) {
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (wanted: string) => (metrics.find(({ name }) => name === wanted)?.value ?? 0) * 1000
  return {
    all: of('TaskDuration'),
    script: of('ScriptDuration'),
    style: of('RecalcStyleDuration'),
    layout: of('LayoutDuration'),
  }
}

function summary(times: number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] as number).toFixed(1)
  return `${at(0.5)} ms, 95 % ${at(0.95)} ms, at most ${at(1)} ms`
}

/** Runs in the page. From when the browser received a key until the frame that shows its letter was painted. */
function recordKeys() {
  const times: number[] = []
  if (!Reflect.has(window, 'keyTimes'))
    document.addEventListener(
      'keydown',
      ({ timeStamp }) => {
        const record = () => Reflect.get(window, 'keyTimes').push(performance.now() - timeStamp)
        requestAnimationFrame(() => setTimeout(record))
      },
      { capture: true },
    )
  Reflect.set(window, 'keyTimes', times)
}

const keyTimes = (): number[] => Reflect.get(window, 'keyTimes')

/** How long a button of the mouse is pressed in a click, in milliseconds. Pressing it fetches the note. */
const press = 80

async function opening(page: Page, session: CDPSession, rounds: number, pressed: number) {
  section(`From a click on a note in the list, pressed for ${pressed} ms, until its text is painted`)
  for (const rate of slowdowns) {
    const first = new Map<string, number[]>()
    const again = new Map<string, number[]>()
    for (let round = 0; round < rounds; round++)
      for (const times of [first, again]) {
        if (times === first) {
          await page.goto('/dashboard/notes')
          await page.locator('main a.note-item').first().waitFor()
          // So that loading the editor is not part of an opening: nothing in the page says when it has loaded.
          await page.waitForTimeout(1000)
        }
        await session.send('Emulation.setCPUThrottlingRate', { rate })
        for (const title of Object.keys(texts)) {
          const time = await page.evaluate(openNote, [title, pressed] as const)
          times.set(title, [...(times.get(title) ?? []), time])
          // So that the rest of an opening is not part of the next one.
          await page.waitForTimeout(500)
        }
        await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
      }
    for (const title of Object.keys(texts)) {
      const [one, other] = [median(first.get(title) ?? []), median(again.get(title) ?? [])]
      row(`“${title}”, CPU throttled ${rate} times`, `${one.toFixed(0)} ms, again ${other.toFixed(0)} ms`)
    }
  }
}

/** Runs in the page. Opens the note with this title, as a mouse does, and returns the time from the release of its button. */
async function openNote([title, pressed]: readonly [string, number]): Promise<number> {
  const link = [...document.querySelectorAll<HTMLElement>('main a.note-item')].find(
    (item) => item.querySelector('.note-item-title')?.textContent === title,
  )
  if (!link) throw new Error(`There is no “${title}” in the list.`)
  if (pressed > 0) {
    link.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'mouse' }))
    await new Promise((resolve) => setTimeout(resolve, pressed))
  }
  return await new Promise((resolve) => {
    const began = performance.now()
    link.click()
    const look = () => {
      const shown = document.querySelector('.note-editor')?.shadowRoot?.querySelector('.cm-content')
      const text = (shown ?? document.querySelector('.note-text .reading'))?.textContent
      if (!text?.startsWith(title)) return requestAnimationFrame(look)
      return requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
    }
    look()
  })
}
