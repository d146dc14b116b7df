import type { Page } from '@playwright/test'
import { force, hold, recordCalls, serverError, settle } from './calls.ts'
import { card, cards, openDashboard, quickLine, sidebarButton, undoBar } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'

const press =
  (...keys: string[]) =>
  async (page: Page) => {
    await card(page, 'Alpha').focus()
    for (const key of keys) await page.keyboard.press(key)
  }

/** Each change that is shown before the server has answered, by its keys on the card of Alpha. */
const verbs: [name: string, make: (page: Page) => Promise<void>][] = [
  ['A move', press('m', 'w', 'Enter')],
  ['A priority', press('p', '1')],
  ['A tick', press('x')],
  ['A deletion', press('Delete')],
  ['A tick of a line', (page) => card(page, 'Alpha').getByRole('checkbox', { name: 'Stove' }).click()],
  ['A move of two tasks', press('Shift+ArrowDown', 'm', 'w', 'Enter')],
  ['A priority of two tasks', press('Shift+ArrowDown', 'p', '1')],
  ['A tag of two tasks', press('Shift+ArrowDown', 't', 'a', 'Enter')],
  ['A tick of two tasks', press('Shift+ArrowDown', 'x')],
  ['A deletion of two tasks', press('Shift+ArrowDown', 'Delete')],
  ['An undo', (page) => page.keyboard.press('ControlOrMeta+z')],
]

for (const [name, make] of verbs)
  test(`${name} that fails late leaves the focus and the keys to the field in use`, async ({
    page,
    user,
  }) => {
    await user.add({ title: 'Beta' })
    await user.add({ title: 'Alpha', body: '- [ ] Stove' })
    await openDashboard(page)
    await sidebarButton(page, 'Latest').click()
    await expect(cards(page)).toHaveCount(2)
    if (name === 'An undo') {
      await press('m', 'w', 'Enter')(page)
      await expect(undoBar(page)).toContainText('Moved')
    }
    const calls = recordCalls(page)
    await settle(page, calls)
    await force(page, 'DELETE /list/deleteTask/:id', serverError)
    await force(page, 'POST /changes', serverError)
    await force(page, 'POST /changes/:seq/undo', serverError)
    const releases = [
      await hold(page, 'DELETE /list/deleteTask/:id'),
      await hold(page, 'POST /changes'),
      await hold(page, 'POST /changes/:seq/undo'),
    ]
    await make(page)
    await quickLine(page).focus()
    await page.keyboard.type('write to the ')
    for (const release of releases) release()
    await expect(page.getByText(/(was|were) not|Not undone/).first()).toBeVisible()
    await settle(page, calls)
    await page.keyboard.type('tax office 1 x')
    await expect(quickLine(page)).toBeFocused()
    await expect(quickLine(page)).toHaveValue('write to the tax office 1 x')
    await expect(page.locator('dialog[open], [role=menu]:popover-open')).toHaveCount(0)
    await expect(cards(page)).toHaveCount(2)
  })

test('A rejected change stays: it is decided at its card, and where its card is not shown, in the list of decisions', async ({
  page,
  user,
}) => {
  await user.add({ title: 'Alpha' })
  await openDashboard(page)
  const decisions = page.getByRole('region', { name: 'Needs your decision' })
  await force(page, 'POST /changes', serverError)
  await press('p', '1')(page)
  await expect(card(page, 'Alpha')).toContainText('This task was not changed.')
  await expect(card(page, 'Alpha').getByRole('button', { name: 'Try again: Alpha' })).toBeVisible()
  await expect(decisions).toHaveCount(0)
  // Someday, where no task is.
  await page.keyboard.press('7')
  await expect(decisions).toContainText('A change of “Alpha” was not saved.')
  await page.reload()
  await expect(decisions).toContainText('A change of “Alpha” was not saved.')
  await sidebarButton(page, 'Today').click()
  await decisions.getByRole('button', { name: 'Discard: Alpha' }).click()
  await press('p', '1')(page)
  const again = card(page, 'Alpha').getByRole('button', { name: 'Try again: Alpha' })
  await expect(again).toBeVisible()
  await page.unrouteAll()
  await again.click()
  await expect(card(page, 'Alpha')).toBeFocused()
  await expect(card(page, 'Alpha')).toContainText('HIGH')
  await expect(card(page, 'Alpha')).not.toContainText('was not')
  await expect(decisions).toHaveCount(0)
})
