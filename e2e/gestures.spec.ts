import type { Page } from '@playwright/test'
import { recordCalls, settle, writesOf } from './calls.ts'
import {
  card,
  cards,
  deleteButton,
  editButton,
  editDialog,
  moveButton,
  openDashboard,
  sidebarButton,
  undoBar,
} from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import type { User } from './user.ts'

async function addTasks(page: Page, user: User, count: number) {
  for (let index = 0; index < count; index++) await user.add({ title: `task ${index}` })
  await openDashboard(page, count)
}

const openersOf = (page: Page) =>
  [
    ['the title', card(page, 'task 1').getByRole('heading')],
    ['Edit', editButton(page, 'task 1')],
    ['Move', moveButton(page, 'task 1')],
    ['Add Task', sidebarButton(page, 'Add Task')],
    ['Keys', page.getByRole('button', { name: 'Keys', exact: true })],
    ['Account', page.getByRole('button', { name: 'Account', exact: true })],
  ] as const

test('The second press of a double click does nothing in the dialog of the first', async ({ page, user }) => {
  await addTasks(page, user, 2)
  const dialog = page.getByRole('dialog')
  const calls = recordCalls(page)
  for (const [name, opener] of openersOf(page))
    await test.step(name, async () => {
      // Of a month, one day is enough.
      const controls = dialog.locator(
        ':is(button, input, textarea, select, summary):not(tr + tr *, td + td *)',
      )
      const values = () =>
        controls.evaluateAll((all) => all.map((each) => 'value' in each && each.value).join())
      await opener.click()
      await expect(dialog).toBeVisible()
      // Its last field comes later.
      if (await dialog.getByLabel('Priority').count()) await expect(dialog.getByLabel('Repeat')).toBeVisible()
      const before = await values()
      // Until the next first press, each of these is the second one.
      for (const control of await controls.all()) {
        const box = await control.boundingBox()
        if (!box) continue
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
        await page.mouse.down({ clickCount: 2 })
        await page.mouse.up({ clickCount: 2 })
        await expect(dialog).toBeVisible()
        expect(await values()).toBe(before)
      }
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    })
  await settle(page, calls)
  expect(writesOf(calls)).toEqual([])
})

test('Enter that is held down acts once, whatever has the focus then', async ({ page, user }) => {
  await addTasks(page, user, 3)
  const dialog = page.getByRole('dialog')
  const calls = recordCalls(page)
  const hold = async () => {
    for (let repeats = 0; repeats < 10; repeats++) await page.keyboard.down('Enter')
  }
  for (const [name, opener] of openersOf(page).slice(1))
    await test.step(name, async () => {
      await opener.focus()
      await hold()
      await expect(dialog).toBeVisible()
      await hold()
      await page.keyboard.up('Enter')
      await expect(dialog).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    })
  await deleteButton(page, 'task 1').focus()
  await hold()
  await expect(cards(page)).toHaveCount(2)
  await hold()
  await page.keyboard.up('Enter')
  await settle(page, calls)
  await expect(dialog).toHaveCount(0)
  expect(writesOf(calls)).toHaveLength(1)
  await undoBar(page).getByRole('button', { name: 'Undo' }).focus()
  await hold()
  await page.keyboard.up('Enter')
  await expect(cards(page)).toHaveCount(3)
})

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 380, height: 760 } })

  test('The second tap of a double tap does nothing in what the first has opened', async ({ page, user }) => {
    await addTasks(page, user, 2)
    const dialog = editDialog(page)
    const box = await editButton(page, 'task 1').boundingBox()
    const [x, y] = [(box?.x ?? 0) + 12, (box?.y ?? 0) + 12]
    const calls = recordCalls(page)
    const client = await page.context().newCDPSession(page)
    const start = Date.now() / 1000
    /** A tap so many seconds after the start, however long the test takes. */
    async function tapAt(seconds: number) {
      const touch = (type: 'touchStart' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
        client.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: start + seconds })
      await touch('touchStart', [{ x, y }])
      await touch('touchEnd', [])
    }
    await tapAt(0)
    await expect(dialog).toBeVisible()
    // The dialog is where the button was, as on a low screen.
    await dialog.evaluate(
      (element, { x, y }) => {
        const save = [...element.querySelectorAll('button')].find(({ textContent }) =>
          /save/i.test(textContent ?? ''),
        )
        const { left, top } = save?.getBoundingClientRect() ?? new DOMRect()
        element.style.translate = `${x - left - 8}px ${y - top - 8}px`
      },
      { x, y },
    )
    await tapAt(0.2)
    await expect(dialog).toBeVisible()
    await settle(page, calls)
    expect(writesOf(calls)).toEqual([])
    await tapAt(2)
    await expect(dialog).toBeHidden()
  })

  test('A finger that stops a list after a flick selects and opens no card', async ({ page, user }) => {
    await page.clock.install()
    await addTasks(page, user, 40)
    // Its tools follow the finger.
    for (const key of ['j', 's']) await page.keyboard.press(key)
    await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible()
    await page.keyboard.press('Escape')
    const client = await page.context().newCDPSession(page)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number, timestamp?: number) =>
      client.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: y === undefined ? [] : [{ x: 190, y }],
        ...(timestamp !== undefined && { timestamp }),
      })
    // The speed of the finger, and when it comes back, do not depend on the speed of the machine.
    const start = Date.now() / 1000
    await send('touchStart', 700, start)
    for (let step = 1; step <= 10; step++) await send('touchMove', 750 - 60 * step, start + step / 100)
    await send('touchEnd', undefined, start + 0.11)
    // Farther than the finger has moved.
    await page.waitForFunction(() => scrollY > 800)
    await send('touchStart', 400, start + 0.2)
    // Longer than a long press.
    await page.clock.runFor(1000)
    await send('touchEnd')
    await expect(page.locator('[data-selected=true]')).toHaveCount(0)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})
