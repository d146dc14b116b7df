import { expect, type Page } from '@playwright/test'
import { answerTo } from './calls.ts'
import { cards } from './dashboard-page.ts'

/** Stops the clock of the page, which only the test moves from now on. Returns the time on it. */
export async function stopClock(page: Page): Promise<number> {
  await page.clock.install()
  const stopped = Date.now() + 60_000
  await page.clock.pauseAt(stopped)
  return stopped
}

/** Lets the time of the page pass, in small steps, until this holds. */
export const passUntil = (page: Page, holds: () => Promise<void>) =>
  expect(async () => {
    await page.clock.runFor(20)
    await holds()
  }).toPass({ intervals: [20] })

/**
 * Makes a press that deletes a task, and waits until this many cards are left. Time passes only after the answer: the gap of
 * the card closes two seconds after the press.
 */
export async function untilDeleted(page: Page, press: () => Promise<void>, left: number) {
  const answer = answerTo(page, 'DELETE /list/deleteTask/:id')
  await press()
  await (await answer).finished()
  await passUntil(page, () => expect(cards(page)).toHaveCount(left, { timeout: 100 }))
}
