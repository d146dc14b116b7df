import { middleOf } from './boxes.ts'
import { force, hold, recordCalls, serverError } from './calls.ts'
import {
  card,
  cards,
  deleteButton,
  openDashboard,
  openList,
  sidebarButton,
  titlesOf,
} from './dashboard-page.ts'
import { day, expect, expectToasts, moving, signedInTest as test } from './fixtures.ts'
import { stopClock, untilDeleted } from './stopped-clock.ts'

test.use(moving)

const deleted = 'success: Task deleted successfully'
const failed = 'error: Failed to delete task'

test.beforeEach(async ({ page, user }) => {
  for (const title of ['Water the plants', 'Feed the cat']) await user.add({ title })
  await openDashboard(page, 2)
})

test('A deleted task leaves its list after the answer, with a toast', async ({ page, user, alerts }) => {
  const calls = recordCalls(page)
  const release = await hold(page, 'DELETE /list/deleteTask/:id')
  await deleteButton(page, 'Water the plants').click()
  await expectToasts(page, [])
  release()
  await expect(card(page, 'Water the plants')).toHaveCount(0)
  await expect(card(page, 'Feed the cat')).toBeVisible()
  await expectToasts(page, [deleted])
  expect(calls).toHaveLength(1)
  expect(calls[0]?.call).toMatch(/^DELETE \/list\/deleteTask\/[0-9a-f-]{36}$/)
  expect(calls[0]?.headers.authorization).toBe(`Bearer ${user.token}`)
  expect(calls[0]?.body).toBeNull()
  expect(alerts).toEqual([])
  await test.step('A deleted task is gone from every list', async () => {
    await openList(page, 'Latest')
    await expect(card(page, 'Feed the cat')).toBeVisible()
    await expect(card(page, 'Water the plants')).toHaveCount(0)
  })
  await test.step('Deleting the last task leaves the empty text of the list', async () => {
    await sidebarButton(page, 'Today').click()
    await deleteButton(page, 'Feed the cat').click()
    await expect(page.getByText('No tasks for today', { exact: true })).toBeVisible()
    await expectToasts(page, [deleted, deleted])
  })
  await test.step('A task of a priority list is deleted the same way', async () => {
    await user.add({ title: 'urgent', priority: 'high', dueDate: day(4) })
    await sidebarButton(page, 'Priority').click()
    await deleteButton(page, 'urgent').click()
    await expect(card(page, 'urgent')).toHaveCount(0)
    const fetched = 'success: High priority tasks fetched successfully'
    await expectToasts(page, [deleted, deleted, fetched, deleted])
  })
})

test('Deleting that fails is "Failed to delete task" and keeps the task', async ({ page, user }) => {
  const shown: string[] = []
  for (const [what, answer] of [
    ['is answered with 201 and not 200', { status: 201, json: {} }],
    ['is answered with an error', serverError],
    ['gets no answer', 'dropped'],
  ] as const)
    await test.step(`Deleting that ${what}`, async () => {
      await user.add({ title: what })
      await expect(card(page, what)).toBeVisible()
      await force(page, 'DELETE /list/deleteTask/:id', answer)
      await deleteButton(page, what).click()
      shown.push(failed)
      await expectToasts(page, shown)
      await expect(card(page, what)).toContainText('not deleted')
      await page.unrouteAll()
      await deleteButton(page, what).click()
      await expect(card(page, what)).toHaveCount(0)
      shown.push(deleted)
      await expectToasts(page, shown)
    })
})

test('A task that comes back after its deletion elsewhere is shown like others', async ({ page, user }) => {
  const task = await user.add({ title: 'Bake bread' })
  const bread = card(page, 'Bake bread')
  await expect(bread).toBeVisible()
  await force(page, 'DELETE /list/deleteTask/:id', { status: 404, json: { status: 404 } })
  for (const [when, isGone] of [
    ['before its card has gone', false],
    ['after its card has gone', true],
  ] as const)
    await test.step(`A task that comes back ${when}`, async () => {
      await deleteButton(page, 'Bake bread').click()
      await expect(bread).toContainText('This task was deleted elsewhere.')
      if (isGone) await expect(bread).toHaveCount(0)
      // A change elsewhere shows that the task is there.
      await user.edit(task, { body: when })
      await expect(bread).toContainText(when)
      await expect(bread).not.toContainText('deleted elsewhere')
      await expect(page.getByRole('listitem').filter({ has: bread })).toHaveCSS('opacity', '1')
    })
})

test('One press on Delete deletes one task', async ({ page, user }) => {
  await test.step('Enter held on Delete deletes one task', async () => {
    const calls = recordCalls(page)
    await deleteButton(page, 'Water the plants').focus()
    // Each further `down` without `up` is a repeat, as from a key that is held.
    for (let repeats = 0; repeats < 30; repeats++) await page.keyboard.down('Enter')
    await expect(card(page, 'Water the plants')).toHaveCount(0)
    for (let repeats = 0; repeats < 30; repeats++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await expect(card(page, 'Feed the cat')).toBeFocused()
    await expectToasts(page, [deleted])
    expect(calls).toHaveLength(1)
  })
  for (let count = 0; count < 13; count++) await user.add({ title: `task ${count}` })
  await openDashboard(page, 14)
  await test.step('A second click where a task was deleted meets no other task', async () => {
    const calls = recordCalls(page)
    const { x, y } = await middleOf(deleteButton(page, (await titlesOf(page))[1] ?? ''))
    const isCardThere = () =>
      page.evaluate(([x = 0, y = 0]) => document.elementFromPoint(x, y)?.closest('article') !== null, [x, y])
    await stopClock(page)
    await untilDeleted(page, () => page.mouse.click(x, y), 13)
    expect(await isCardThere()).toBe(false)
    await page.mouse.click(x, y)
    await page.clock.resume()
    await expectToasts(page, [deleted])
    // The next card takes the place afterwards.
    await expect.poll(isCardThere).toBe(true)
    expect(calls).toHaveLength(1)
  })
  await test.step('After a delete by mouse, Space scrolls and deletes nothing', async () => {
    const calls = recordCalls(page)
    await deleteButton(page, (await titlesOf(page))[0] ?? '').click()
    await expect(cards(page)).toHaveCount(12)
    await page.keyboard.press('Space')
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
    await expect(cards(page)).toHaveCount(12)
    expect(calls).toHaveLength(1)
  })
})
