import type { Page } from '@playwright/test'
import {
  card,
  cards,
  deleteButton,
  editButton,
  editDialog,
  openAt,
  openDashboard,
  ring,
  strip,
  undoBar,
  unsentLine,
} from './dashboard-page.ts'
import { day, expect, signedInTest as test } from './fixtures.ts'

const reminders = (page: Page) => strip(page).getByRole('listitem')

test('At its minute a task reminds in one of two tabs, and again later', async ({ page, context, user }) => {
  await user.add({ title: 'Train', dueDate: day(1), dueTime: '10:00' })
  await openAt(page, '09:59:30')
  const other = await context.newPage()
  await openDashboard(other)
  await expect(strip(other)).toBeAttached()
  await page.clock.runFor(31_000)
  const counts = async () => [await reminders(page).count(), await reminders(other).count()]
  await expect.poll(async () => (await counts()).sort()).toEqual([0, 1])
  const shown = (await reminders(page).count()) === 1 ? page : other
  await expect(reminders(shown)).toContainText('TrainDue today at 10:00')
  await expect(strip(shown).getByRole('status')).toHaveText('Reminder of “Train”.')
  // As a duplicated tab, it gets the session storage of the first.
  const [copy] = await Promise.all([
    context.waitForEvent('page'),
    shown.evaluate(() => void window.open('/dashboard')),
  ])
  await expect(strip(copy)).toBeAttached()
  await expect(cards(copy)).toHaveCount(1)
  await expect(reminders(copy)).toHaveCount(0)
  await copy.close()
  await shown.reload()
  await expect(reminders(shown)).toHaveCount(1)
  await strip(shown).getByRole('button', { name: 'In an hour' }).click()
  await expect(reminders(shown)).toHaveCount(0)
  await expect(card(shown, 'Train')).toContainText('10:00')
  await other.close()
  await page.clock.runFor('01:01:00')
  await expect(reminders(page)).toHaveCount(1)
  await strip(page).getByRole('button', { name: 'Done' }).click()
  await expect(cards(page)).toHaveCount(0)
  await expect(reminders(page)).toHaveCount(0)
})

test('No message of the page covers a toast', async ({ page, context, user }) => {
  await page.route('**/assets/notes-*', (route) => route.fulfill({ status: 404 }))
  await user.add({ title: 'Train', dueDate: day(1), dueTime: '10:00' })
  for (const title of ['one', 'two']) await user.add({ title, dueDate: day(1) })
  await openAt(page, '09:59:30')
  await page.clock.runFor(31_000)
  await expect(reminders(page)).toHaveCount(1)
  await page.keyboard.press('6')
  await expect(page.getByRole('region', { name: 'New version' })).toBeVisible()
  await page.keyboard.press('1')
  // Loads the tools of the selection.
  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible()
  await page.keyboard.press('Escape')
  await context.setOffline(true)
  await ring(page, 'one').click()
  await expect(unsentLine(page)).toContainText('Offline')
  await expect(undoBar(page)).toContainText('Completed')
  /** The boxes of a toast and of all messages, once the press has shown the toast, which is gone after a second. */
  const boxesAt = async (press: () => Promise<void>) => {
    await expect(page.locator('.Toastify__toast')).toHaveCount(0)
    const boxes = page.waitForFunction(() => {
      const toast = document.querySelector('.Toastify__toast')
      const messages = [...document.querySelectorAll('.messages > *')].filter(
        (message) => message.checkVisibility({ opacityProperty: true }) && message.clientHeight > 1,
      )
      const boxOf = (element: Element) => element.getBoundingClientRect().toJSON() as DOMRect
      return toast && { toast: boxOf(toast), messages: messages.map(boxOf) }
    })
    await press()
    const found = await (await boxes).jsonValue()
    if (!found) throw new Error('There is no toast.')
    return found
  }
  const expectApart = ({ toast, messages }: Awaited<ReturnType<typeof boxesAt>>, count: number) => {
    expect(messages).toHaveLength(count)
    expect(toast.top).toBeGreaterThanOrEqual(0)
    for (const { top, right, bottom } of messages) {
      expect(bottom).toBeLessThanOrEqual(760)
      expect(toast.bottom <= top || toast.top >= bottom || toast.left >= right).toBe(true)
    }
  }
  for (const width of [1280, 380])
    await test.step(`at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 760 })
      // A list that cannot be loaded.
      expectApart(await boxesAt(() => page.keyboard.press('1')), 4)
      await page.keyboard.press('ControlOrMeta+a')
      await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible()
      // A task that cannot be deleted.
      expectApart(await boxesAt(() => deleteButton(page, 'two').click()), 4)
      await page.keyboard.press('Escape')
    })
})

test('A reminder that could not be loaded comes online, and goes with its task', async ({ page, user }) => {
  const task = await user.add({ title: 'Train', dueDate: day(1), dueTime: '10:00' })
  await page.route('**/assets/rest-*', (route) => route.abort('internetdisconnected'))
  await openAt(page, '09:59:30')
  await page.clock.runFor(31_000)
  await expect(strip(page).getByRole('status')).toHaveText('Reminder of “Train”.')
  await expect(reminders(page)).toHaveCount(0)
  await page.unrouteAll()
  // The page may not know yet that the part could not be loaded.
  const shownOnline = async () => {
    await page.evaluate(() => dispatchEvent(new Event('online')))
    return await reminders(page).count()
  }
  await expect.poll(shownOnline).toBe(1)
  await user.remove(task)
  await expect(reminders(page)).toHaveCount(0)
})

test('The dialog chooses up to three reminders, and says which are over', async ({ page, user }) => {
  await user.add({ title: 'Train', dueDate: day(1), dueTime: '10:00' })
  await openAt(page, '08:00:00')
  await editButton(page, 'Train').click()
  const dialog = editDialog(page)
  const choice = dialog.getByLabel('Remind me')
  const chosen = (name: string) => dialog.getByRole('button', { name })
  await expect(chosen('At the time, remove')).toBeVisible()
  await choice.selectOption('An hour before')
  await choice.selectOption({ label: 'The evening before at 19:00' })
  await expect(chosen('The evening before at 19:00, over, it will not remind, remove')).toContainText('over')
  await expect(choice).toBeDisabled()
  await chosen('At the time, remove').click()
  await choice.selectOption('At a day and time')
  await dialog.getByLabel('Day and time of the reminder').fill(`${day(1)}T08:30`)
  await dialog.getByRole('button', { name: 'Add this reminder' }).click()
  await expect(chosen('Today at 08:30, remove')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await page.clock.runFor('00:30:30')
  await expect(reminders(page)).toContainText('Train')
})
