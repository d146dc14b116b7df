import { middleOf } from './boxes.ts'
import { answerTo, hold, recordCalls, settle } from './calls.ts'
import {
  card,
  cards,
  openDashboard,
  openList,
  pressOn,
  ring,
  sidebarButton,
  titlesOf,
} from './dashboard-page.ts'
import { expect, expectToasts, moving, signedInTest as test } from './fixtures.ts'

test.use(moving)

test.beforeEach(async ({ page, user }) => {
  for (const title of ['Water the plants', 'Feed the cat']) await user.add({ title })
  await openDashboard(page, 2)
})

test('The first task that is done today raises the mark so far that it is seen', async ({ page, user }) => {
  await Promise.all(Array.from({ length: 10 }, (_, index) => user.add({ title: `task ${index}` })))
  await ring(page, 'Water the plants').click()
  await expect(page.getByText('1 of 12 done today')).toBeVisible()
  const horizon = page.getByTitle('1 of 12 done today')
  const risen = async () => {
    const [line, mark] = await Promise.all([horizon.boundingBox(), horizon.locator('svg').boundingBox()])
    return line && mark ? (line.y + line.height - mark.y) / mark.height : 0
  }
  await expect.poll(risen).toBeGreaterThan(0.25)
})

test('A completed task leaves every list and other tabs by one call', async ({ page, context, alerts }) => {
  const calls = recordCalls(page)
  const release = await hold(page, 'POST /changes')
  await test.step('A click on the ring ticks it in the same frame, before the server has answered', async () => {
    // The card leaves half a second later, whatever the server does.
    const isTicked = await ring(page, 'Water the plants').evaluate(async (element: HTMLInputElement) => {
      element.click()
      await new Promise(requestAnimationFrame)
      return element.checked && element.checkVisibility()
    })
    expect(isTicked).toBe(true)
  })
  release()
  await expect(card(page, 'Water the plants')).toHaveCount(0)
  await settle(page, calls)
  expect(calls.map(({ call }) => call)).toEqual(['POST /changes'])
  expect(calls[0]?.body).toMatchObject({ changes: [{ set: { done: true } }] })
  await openList(page, 'Latest')
  await expect(card(page, 'Feed the cat')).toBeVisible()
  await expect(card(page, 'Water the plants')).toHaveCount(0)
  // Of two tabs, either sends a change, so the calls are counted before there is another one.
  const other = await context.newPage()
  await openDashboard(other, 'Feed the cat')
  await ring(page, 'Feed the cat').click()
  for (const tab of [page, other]) await expect(card(tab, 'Feed the cat')).toHaveCount(0)
  await expectToasts(page, [])
  expect(alerts).toEqual([])
})

test('x completes the focused card, and one press or double click one task', async ({ page, user }) => {
  for (const title of ['third', 'fourth']) await user.add({ title })
  await expect(cards(page)).toHaveCount(4)
  const [first = '', second = '', third = '', fourth = ''] = await titlesOf(page)
  await test.step('x does nothing while no card has the focus', async () => {
    const calls = recordCalls(page)
    await page.keyboard.press('x')
    await sidebarButton(page, 'Today').focus()
    await page.keyboard.press('x')
    await settle(page, calls)
    expect(calls).toEqual([])
  })
  await pressOn(page, first, 'x')
  await expect(card(page, second)).toBeFocused()
  await expect(cards(page)).toHaveCount(3)
  await test.step('x that is held down completes one task', async () => {
    const calls = recordCalls(page)
    for (let repeats = 0; repeats < 30; repeats++) await page.keyboard.down('x')
    await expect(card(page, third)).toBeFocused()
    for (let repeats = 0; repeats < 30; repeats++) await page.keyboard.down('x')
    await page.keyboard.up('x')
    await settle(page, calls)
    expect(calls).toHaveLength(1)
    await expect(cards(page)).toHaveCount(2)
  })
  await test.step('A double click on the ring completes one task', async () => {
    const calls = recordCalls(page)
    await ring(page, third).dblclick()
    await expect(card(page, third)).toHaveCount(0)
    await settle(page, calls)
    expect(calls).toHaveLength(1)
    await expect(ring(page, fourth)).not.toBeChecked()
  })
})

test('No other card comes under the pointer within half a second of a click on a ring', async ({ page }) => {
  const [first = ''] = await titlesOf(page)
  const { x, y } = await middleOf(ring(page, first))
  const animations = () =>
    card(page, first).evaluate((article) => article.parentElement?.getAnimations().length)
  // The clock of the page is stopped, except where the test moves it.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 600_000)
  // The animations of the page have a clock of their own.
  await page.evaluate(() => {
    const { animate } = Element.prototype
    Element.prototype.animate = function (...values) {
      const animation = animate.apply(this, values)
      animation.pause()
      return animation
    }
  })
  const answered = answerTo(page, 'POST /changes')
  await page.mouse.click(x, y)
  await answered
  await page.clock.runFor(299)
  expect(await animations()).toBe(0)
  // The page can have begun to count later than the test.
  await expect(async () => {
    await page.clock.runFor(1)
    expect(await animations()).toBe(1)
  }).toPass({ intervals: [20] })
  const isInPlace = await card(page, first).evaluate(
    (article, [x = 0, y = 0]) => {
      const [collapse] = article.parentElement?.getAnimations() ?? []
      if (collapse) collapse.currentTime = 199
      return article.contains(document.elementFromPoint(x, y))
    },
    [x, y],
  )
  expect(isInPlace).toBe(true)
})

test('Space ticks the focused ring, and scrolls elsewhere', async ({ page, user }) => {
  for (let count = 0; count < 12; count++) await user.add({ title: `task ${count}` })
  await expect(cards(page)).toHaveCount(14)
  const calls = recordCalls(page)
  await pressOn(page, 'Water the plants', 'Space')
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
  expect(calls).toEqual([])
  await ring(page, 'Feed the cat').focus()
  await page.keyboard.press('Space')
  await expect(card(page, 'Feed the cat')).toHaveCount(0)
  await expect.poll(() => calls.map(({ call }) => call)).toEqual(['POST /changes'])
})
