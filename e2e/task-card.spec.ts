import { draft } from './add-dialog.ts'
import { boxOf } from './boxes.ts'
import { hold } from './calls.ts'
import {
  badge,
  card,
  cards,
  chip,
  dateOf,
  deleteButton,
  editButton,
  editDialog,
  openDashboard,
  openList,
  quickLine,
} from './dashboard-page.ts'
import { day, expect, signedInTest as test } from './fixtures.ts'
import { signIn } from './sign-in.ts'

test('A card shows title, Created date, body, Due date, priority badge, edit icon and delete icon', async ({
  page,
  user,
  stranger,
}) => {
  await stranger.add({ title: 'not yours', dueDate: day(-1) })
  const task = await user.add(draft)
  for (const priority of ['high', 'medium', 'low'] as const) await user.add({ title: priority, priority })
  await openDashboard(page)
  const shown = card(page, 'Water the plants')
  await expect(shown.getByRole('heading', { name: 'Water the plants' })).toBeVisible()
  await expect(shown.getByText('The fern first.', { exact: true })).toBeVisible()
  await expect(dateOf(shown, 'Created')).toBeVisible()
  await expect(dateOf(shown, 'Due')).toBeVisible()
  await expect(dateOf(shown, 'Created')).toHaveAttribute('datetime', task.createdAt)
  await expect(dateOf(shown, 'Due')).toHaveAttribute('datetime', day(0))
  await expect(badge(shown)).toHaveText('HIGH')
  await expect(editButton(page, 'Water the plants')).toBeVisible()
  await expect(deleteButton(page, 'Water the plants')).toBeVisible()
  await test.step('The Created date is the day it was on the clock of the reader', async () => {
    const today = Temporal.PlainDate.from(day(0)).toLocaleString('en-GB', { day: 'numeric', month: 'short' })
    await expect(dateOf(shown, 'Created')).toHaveText(today)
  })
  await test.step('A due date of this year is written without the year', () =>
    expect(dateOf(shown, 'Due')).toHaveText(/^[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2,3}$/))
  await test.step('The priority badge is upper case and red for high, yellow for medium and green for low', async () => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      const hues: Record<string, number> = {}
      for (const priority of ['high', 'medium', 'low'] as const) {
        const shown = badge(card(page, priority))
        await expect(shown).toHaveAttribute('data-priority', priority)
        await expect.poll(() => shown.innerText()).toBe(priority.toUpperCase())
        hues[priority] = await shown.evaluate(hueOf)
      }
      expect(Math.min(hues.high ?? 180, 360 - (hues.high ?? 180))).toBeLessThan(25)
      expect(hues.medium).toBeGreaterThan(35)
      expect(hues.medium).toBeLessThan(70)
      expect(hues.low).toBeGreaterThan(90)
      expect(hues.low).toBeLessThan(170)
      // Its ground, not only its text. Axe compares both.
      await expect(badge(card(page, 'medium'))).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
    }
  })
  await test.step('Only the tasks of the person signed in are shown', async () => {
    await openList(page, 'Latest')
    await expect(shown).toBeVisible()
    await expect(cards(page)).toHaveCount(4)
    await expect(card(page, 'not yours')).toHaveCount(0)
  })
})

test('Pages work where the first language of the browser is not valid', async ({ context, server, user }) => {
  await user.add({ title: 'Leap', dueDate: '2020-02-29' })
  for (const [languages, words] of [
    [['de-DE'], 'Sa., 29. Feb. 2020'],
    [['C', 'de-DE'], 'Sa., 29. Feb. 2020'],
    [['C'], 'Sat, Feb 29, 2020'],
    [[], 'Sat, Feb 29, 2020'],
  ] as const)
    await test.step(`[${languages}]`, async () => {
      const page = await context.newPage()
      await signIn(page, server.address, user.token)
      await page.addInitScript((list) => {
        Object.defineProperty(navigator, 'language', { value: list[0] })
        Object.defineProperty(navigator, 'languages', { value: list })
      }, languages)
      await openDashboard(page)
      await expect(dateOf(card(page, 'Leap'), 'Due')).toHaveText(words)
      await quickLine(page).fill('Dentist tomorrow')
      await expect(chip(page, /Due/)).toBeVisible()
      await page.goto('/about')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.close()
    })
})

test('A click on the title opens Edit, and a moved press selects no text', async ({ page, user }) => {
  await user.add({ title: 'Water the plants', body: 'The fern first.' })
  await openDashboard(page)
  const title = card(page, 'Water the plants').getByRole('heading')
  await card(page, 'Water the plants')
    .getByText('The fern first.')
    .dblclick({ position: { x: 8, y: 8 } })
  expect(await page.evaluate(() => getSelection()?.toString().trim())).not.toBe('')
  const { x, y } = await boxOf(title)
  await page.mouse.move(x + 2, y + 10)
  await page.mouse.down()
  await page.mouse.move(x + 80, y + 110, { steps: 5 })
  await page.mouse.up()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('')
  await expect(editDialog(page)).toBeHidden()
  await title.click()
  await expect(editDialog(page).getByLabel('Title', { exact: true })).toHaveValue('Water the plants')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /^Edit / })).toHaveCount(1)
  await test.step('A card whose deletion takes long is faded until the server has answered', async () => {
    const release = await hold(page, 'DELETE /list/deleteTask/:id')
    const shown = card(page, 'Water the plants')
    await expect(shown).toHaveCSS('opacity', '1')
    await deleteButton(page, 'Water the plants').click()
    await expect(shown).toHaveCSS('opacity', '0.5')
    release()
    await expect(shown).toHaveCount(0)
  })
})

test('The body of a card is text with its line breaks, and can be unfolded', async ({ page, user }) => {
  await user.add({ title: 'Shopping', body: 'milk\nbread\neggs' })
  await user.add({ title: 'A long story', body: 'Once upon a time there was a fern.\n'.repeat(60) })
  await openDashboard(page)
  await test.step('Line breaks of a body are kept', async () => {
    const body = card(page, 'Shopping').getByText('bread')
    await expect.poll(() => body.innerText()).toBe('milk\nbread\neggs')
  })
  await test.step('A long body is folded, and can be unfolded and folded again', async () => {
    const shown = card(page, 'A long story')
    const height = async () => (await shown.boundingBox())?.height ?? 0
    const unfold = shown.getByRole('button', { expanded: false })
    await expect(unfold).toBeVisible()
    const folded = await height()
    await unfold.click()
    await expect.poll(height).toBeGreaterThan(folded + 300)
    await shown.getByRole('button', { expanded: true }).click()
    await expect.poll(height).toBe(folded)
  })
})

test('An address in a body is a link that opens beside the dashboard', async ({ page, user, server }) => {
  await user.add({ title: 'Read', body: `See (${server.address}/about), then write.` })
  await openDashboard(page)
  const link = card(page, 'Read').getByRole('link')
  await expect(link).toHaveText(`${server.address}/about`)
  const opened = page.waitForEvent('popup')
  await link.click()
  const other = await opened
  await expect(other).toHaveURL('/about')
  expect(await other.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
  await expect(page).toHaveURL('/dashboard')
})

/** The hue of an element's strongest colour, in degrees: of its background, or of its text where that is grey. */
function hueOf(element: Element): number {
  const { backgroundColor, color } = getComputedStyle(element)
  const [most] = [backgroundColor, color].map(saturation).sort((a, b) => b.chroma - a.chroma)
  return most?.hue ?? Number.NaN

  function saturation(text: string) {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D
    canvas.fillStyle = text
    canvas.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0] = canvas.getImageData(0, 0, 1, 1).data
    const max = Math.max(r, g, b)
    const chroma = max - Math.min(r, g, b)
    const sector = max === r ? (g - b) / chroma : max === g ? 2 + (b - r) / chroma : 4 + (r - g) / chroma
    return { chroma, hue: (sector * 60 + 360) % 360 }
  }
}
