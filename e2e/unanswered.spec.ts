import { hold, recordCalls, settle } from './calls.ts'
import {
  badge,
  card,
  cards,
  dateOf,
  moveButton,
  openDashboard,
  quickLine,
  ring,
  sidebarButton,
  undoBar,
} from './dashboard-page.ts'
import { day } from './days.ts'
import { expect, signedInTest as test } from './fixtures.ts'

test('A tick, a quick task, a priority, a move, a completion and its undo are shown before the server has answered any of them', async ({
  page,
  user,
}) => {
  await user.add({ title: 'Pack', body: '- [ ] Stove', priority: 'low' })
  await user.add({ title: 'Swim' })
  await openDashboard(page)
  await sidebarButton(page, 'Latest').click()
  await expect(cards(page)).toHaveCount(2)
  const release = await hold(page, 'POST /changes')
  const calls = recordCalls(page)
  const pack = card(page, 'Pack')

  await pack.getByRole('checkbox', { name: 'Stove', exact: true }).check()
  await quickLine(page).fill('Read')
  await page.keyboard.press('Enter')
  await expect(card(page, 'Read')).toBeVisible()
  await badge(pack).click()
  await page.getByRole('menuitemradio', { name: 'High' }).click()
  await expect(badge(pack)).toHaveText('HIGH')
  await moveButton(page, 'Pack').click()
  await page
    .getByRole('dialog', { name: 'Move', exact: true })
    .getByRole('button', { name: 'Move to tomorrow', exact: true })
    .click()
  await expect(dateOf(pack, 'Due')).toHaveAttribute('datetime', day(1))
  await ring(page, 'Swim').click()
  await expect(card(page, 'Swim')).toHaveCount(0)
  await undoBar(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(card(page, 'Swim')).toBeVisible()

  expect(calls.map(({ call, ended }) => [call, ended])).toEqual([['POST /changes', false]])
  release()
  await expect
    .poll(async () => (await user.list('getLatestTasks')).find(({ title }) => title === 'Pack'))
    .toMatchObject({ body: '- [x] Stove', priority: 'high', dueDate: day(1) })
  await settle(page, calls)
  expect((await user.list('getLatestTasks')).map(({ title }) => title)).toEqual(['Read', 'Swim', 'Pack'])
})
