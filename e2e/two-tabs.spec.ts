import type { Locator, Page } from '@playwright/test'
import { cards, deleteButton, openDashboard, ring, titlesOf } from './dashboard-page.ts'
import { openFollowing } from './devices.ts'
import { expect, signedInTest as test } from './fixtures.ts'

/** An action of a tab: it completes or deletes the task with this title, or undoes its last change. */
type Step = readonly ['complete' | 'delete', string] | readonly ['undo']

/** Takes the steps without waiting for their effects. The other tab may have taken a card away. */
async function take(page: Page, steps: Step[]) {
  for (const [what, title = ''] of steps) {
    if (what === 'undo') await page.keyboard.press('ControlOrMeta+z')
    else await click(what === 'complete' ? ring(page, title) : deleteButton(page, title))
  }
}

const click = (button: Locator) =>
  button.evaluateAll(([element]) => element instanceof HTMLElement && element.click())

/** The titles of the whole list. A page in the background loads no further tasks. */
async function scrolledTitles(page: Page): Promise<string[]> {
  await page.bringToFront()
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  return await titlesOf(page)
}

/** The values in an order that depends on the seed alone. */
function shuffled<Value>(values: Value[], seed: number): Value[] {
  let state = seed + 1
  const keyed = values.map((value) => {
    state = (state * 48_271) % 2_147_483_647
    return { value, key: state }
  })
  return keyed.sort((one, other) => one.key - other.key).map(({ value }) => value)
}

test('Two tabs that complete, delete and undo at the same time show the same tasks as a reload', async ({
  page,
  context,
  user,
}, { repeatEachIndex: seed }) => {
  const titles = Array.from({ length: 60 }, (_, index) => `Task ${index}`)
  for (const title of titles) await user.add({ title })
  const other = await context.newPage()
  await openFollowing(page)
  await openDashboard(other)
  for (const tab of [page, other]) await expect.poll(() => scrolledTitles(tab)).toHaveLength(60)

  // Two tasks are completed in both tabs, and one is deleted in both.
  const chosen = shuffled(titles, 2 * seed)
  const steps = (completed: string[], deleted: string[]): Step[] => [
    ...completed.map((title) => ['complete', title] as const),
    ...deleted.map((title) => ['delete', title] as const),
    ...Array.from({ length: 3 }, () => ['undo'] as const),
  ]
  await Promise.all([
    take(page, shuffled(steps(chosen.slice(0, 6), chosen.slice(10, 14)), seed)),
    take(other, shuffled(steps(chosen.slice(4, 10), chosen.slice(13, 16)), seed + 1)),
  ])

  // Neither tab has further changes to send when both tabs and the server agree.
  const reloaded = await context.newPage()
  await expect(async () => {
    await openDashboard(reloaded)
    await expect(cards(reloaded)).not.toHaveCount(0)
    const stored = await scrolledTitles(reloaded)
    for (const tab of [page, other])
      await expect.poll(() => scrolledTitles(tab), { timeout: 2000 }).toEqual(stored)
  }).toPass({ timeout: 30_000 })
})
