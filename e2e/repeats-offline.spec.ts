import { answerTo } from './calls.ts'
import { card, cards, openDashboard, ring, titlesOf, undoBar } from './dashboard-page.ts'
import { day } from './days.ts'
import { expect, signedInTest as test } from './fixtures.ts'

test('Without a network, completing a repeat shows the next one at once, which can be completed too, and the server makes no other', async ({
  page,
  context,
  user,
}) => {
  await user.add({ title: 'Vitamins', dueDate: day(-2), repeat: 'FREQ=DAILY' })
  await openDashboard(page)
  await expect(card(page, 'Vitamins')).toContainText('Every day')
  await page.keyboard.press('2')
  await expect(card(page, 'Vitamins')).toContainText('Every day')
  await context.setOffline(true)
  await ring(page, 'Vitamins').click()
  await expect(undoBar(page)).toContainText('Completed “Vitamins”')
  await expect(cards(page)).toHaveCount(1)
  const days = () =>
    card(page, 'Vitamins')
      .locator('.task-due time')
      .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')))
  await expect.poll(days).toEqual([day(1)])
  await ring(page, 'Vitamins').click()
  await expect.poll(days).toEqual([day(2)])
  const sent = answerTo(page, 'POST /changes')
  await context.setOffline(false)
  await sent
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).join())).not.toContain('outbox ')
  expect(await titlesOf(page)).toEqual(['Vitamins'])
  await openDashboard(page)
  await page.keyboard.press('2')
  await expect(cards(page)).toHaveCount(1)
  await expect.poll(days).toEqual([day(2)])
})
