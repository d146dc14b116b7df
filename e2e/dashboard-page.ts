import { expect, type Locator, type Page } from '@playwright/test'
import type { Priority } from '#contract/task-fields.ts'
import { day, noonZone } from './days.ts'

// The dashboard in the words of the specification, section 2.

/**
 * Opens the dashboard and waits until it is hydrated: the calendar is not in the prerendered HTML. It does not wait for
 * the event `load`, which chunks delay that are loaded in advance. `shown`: how many cards it shows, or the
 * title of one.
 */
export async function openDashboard(page: Page, shown?: number | string) {
  await page.goto('/dashboard', { waitUntil: 'domcontentloaded' })
  await page.locator('[role=grid]').waitFor({ state: 'attached' })
  if (typeof shown === 'number') await expect(cards(page)).toHaveCount(shown)
  if (typeof shown === 'string') await expect(card(page, shown)).toBeVisible()
}

export const strip = (page: Page) => page.getByRole('region', { name: 'Reminders' })

export async function openAt(page: Page, plainTime: string) {
  const { epochMilliseconds } = Temporal.PlainDate.from(day(1)).toZonedDateTime({
    timeZone: noonZone,
    plainTime,
  })
  await page.clock.install({ time: epochMilliseconds })
  await openDashboard(page)
  await expect(strip(page)).toBeAttached()
}

export const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' })

export const sidebarButton = (page: Page, name: 'Add Task' | 'Today' | 'Latest' | 'Priority') =>
  sidebar(page).getByRole('button', { name, exact: true })

export const priorityButton = (page: Page, name: 'High' | 'Medium' | 'Low') =>
  page.getByRole('main').getByRole('button', { name, exact: true })

export const panelTitle = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })

const panelTitles = { Today: "Today's Tasks", Latest: 'Recent', Priority: 'Mark the urgent' }

export async function openList(page: Page, name: keyof typeof panelTitles) {
  await sidebarButton(page, name).click()
  await expect(panelTitle(page)).toHaveText(panelTitles[name])
}

export const cards = (page: Page) => page.getByRole('article')

export const card = (page: Page, title: string) => page.getByRole('article', { name: title, exact: true })

export const badge = (card: Locator) => card.locator('[data-priority]')

/** As in `Due 21 Nov 2026`. */
export const dateOf = (card: Locator, what: 'Created' | 'Due') =>
  card.getByText(new RegExp(`^${what} `)).locator('time')

export const editButton = (page: Page, title: string) =>
  page.getByRole('button', { name: `Edit ${title}`, exact: true })

export const deleteButton = (page: Page, title: string) =>
  page.getByRole('button', { name: `Delete ${title}`, exact: true })

export const moveButton = (page: Page, title: string) =>
  page.getByRole('button', { name: `Move ${title}`, exact: true })

/** A day of the sidebar's calendar, `YYYY-MM-DD`. */
export const calendarDay = (page: Page, day: string) => sidebar(page).locator(`[data-day="${day}"]`)

/** Drags what is grabbed here to a day of the calendar. */
export async function dragTo(page: Page, grabbed: Locator, day: string) {
  const target = calendarDay(page, day)
  await grabbed.hover()
  await page.mouse.down()
  await target.getByRole('button').hover()
  await target.getByRole('button').hover()
  await expect(target).toHaveClass(/calendar-over/)
  await page.mouse.up()
}

export const ring = (page: Page, title: string) =>
  page.getByRole('checkbox', { name: `Complete ${title}`, exact: true })

export const undoBar = (page: Page) => page.getByRole('region', { name: 'Last change' })

export const unsentLine = (page: Page) => page.getByRole('region', { name: 'Waiting changes', exact: true })

export const quickLine = (page: Page) => page.getByRole('textbox', { name: 'Quick add', exact: true })

export async function enterLine(page: Page, text: string) {
  await quickLine(page).fill(text)
  await quickLine(page).press('Enter')
}

export const pasteLines = (page: Page, text: string) =>
  quickLine(page).evaluate((line, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    line.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

/** As in `Due tomorrow, remove`. */
export const chip = (page: Page, meaning: string | RegExp) =>
  page
    .getByRole('main')
    .getByRole('button', { name: typeof meaning === 'string' ? `${meaning}, remove` : meaning, exact: true })

export const addDialog = (page: Page) => page.getByRole('dialog', { name: 'Add New Task' })

export const editDialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Task' })

export async function pressOn(page: Page, title: string, ...keys: string[]) {
  await card(page, title).focus()
  for (const key of keys) await page.keyboard.press(key)
}

/** The titles of the cards on show, from top to bottom. */
export const titlesOf = (page: Page) => cards(page).getByRole('heading').allTextContents()

type Typed = { title?: string; body?: string; dueDate?: string; priority?: Priority | '' }

/** Fills in the given values and leaves the rest of the form as it is. */
export async function fillTask(dialog: Locator, { title, body, dueDate, priority }: Typed) {
  if (title !== undefined) await dialog.getByLabel('Title', { exact: true }).fill(title)
  if (body !== undefined) await dialog.getByLabel('Body', { exact: true }).fill(body)
  if (dueDate !== undefined) await dialog.getByLabel('Due Date', { exact: true }).fill(dueDate)
  if (priority !== undefined) await dialog.getByLabel('Priority', { exact: true }).selectOption(priority)
}

export async function addByDialog(page: Page, values: Typed) {
  await sidebarButton(page, 'Add Task').click()
  await fillTask(addDialog(page), values)
  await addDialog(page).getByRole('button', { name: 'Add Task' }).click()
}

export async function editByDialog(page: Page, title: string, values: Typed) {
  await editButton(page, title).click()
  await fillTask(editDialog(page), values)
  await editDialog(page).getByRole('button', { name: 'Save' }).click()
}
