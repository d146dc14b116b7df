import type { Page } from '@playwright/test'
import { force, hold, recordCalls, serverError, settle } from './calls.ts'
import {
  badge,
  card,
  cards,
  openDashboard,
  pressOn,
  quickLine,
  sidebarButton,
  undoBar,
} from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'

const press =
  (title: string, ...keys: string[]) =>
  (page: Page) =>
    pressOn(page, title, ...keys)

/** Each change that is shown before the server has answered, by its keys on a card of its own, or on two. */
const verbs: ((page: Page) => Promise<void>)[] = [
  (page) => page.keyboard.press('ControlOrMeta+z'),
  press('A moved task', 'm', 'w', 'Enter'),
  press('A task with a priority', 'p', '1'),
  (page) => card(page, 'A task with a line').getByRole('checkbox', { name: 'Stove' }).click(),
  press('Two moved tasks', 'Shift+ArrowDown', 'm', 'w', 'Enter'),
  press('Two tasks with a priority', 'Shift+ArrowDown', 'p', '1'),
  press('Two tasks with a tag', 'Shift+ArrowDown', 't', 'a', 'Enter'),
  press('Two completed tasks', 'Shift+ArrowDown', 'x'),
  press('Two deleted tasks', 'Shift+ArrowDown', 'Delete'),
  press('A completed task', 'x'),
  press('A deleted task', 'Delete'),
]

const titles = [
  ...['A deleted task', 'A completed task', 'A task with a line', 'A task with a priority', 'A moved task'],
  ...['deleted', 'completed', 'with a tag', 'with a priority', 'moved'].flatMap((what) => {
    const two = ['deleted', 'completed', 'moved'].includes(what) ? `Two ${what} tasks` : `Two tasks ${what}`
    return [`Second: ${two}`, two]
  }),
  'An undone move',
]

test('Changes are shown before the answer, and late failures leave the focus', async ({ page, user }) => {
  for (const title of titles) await user.add({ title, body: '- [ ] Stove' })
  await page.goto('/dashboard?list=latest')
  await expect(cards(page)).toHaveCount(titles.length)
  await press('An undone move', 'm', 'w', 'Enter')(page)
  await expect(undoBar(page)).toContainText('Moved')
  const calls = recordCalls(page)
  await settle(page, calls)
  const releases = []
  for (const endpoint of [
    'DELETE /list/deleteTask/:id',
    'POST /changes',
    'POST /changes/:seq/undo',
  ] as const) {
    await force(page, endpoint, serverError)
    releases.push(await hold(page, endpoint))
  }
  for (const make of verbs) await make(page)
  await expect(badge(card(page, 'A task with a priority'))).toHaveText('HIGH')
  await expect(
    card(page, 'A task with a line').getByRole('checkbox', { name: 'Stove', checked: true }),
  ).toBeVisible()
  for (const gone of ['A completed task', 'Two completed tasks', 'Two deleted tasks'])
    await expect(card(page, gone)).toHaveCount(0)
  await quickLine(page).focus()
  await page.keyboard.type('write to the ')
  for (const release of releases) release()
  await expect(page.getByText(/(was|were) not/)).toHaveCount(titles.length - 1)
  await settle(page, calls)
  await page.keyboard.type('tax office 1 x')
  await expect(quickLine(page)).toBeFocused()
  await expect(quickLine(page)).toHaveValue('write to the tax office 1 x')
  await expect(page.locator('dialog[open], [role=menu]:popover-open')).toHaveCount(0)
  await expect(cards(page)).toHaveCount(titles.length)
})

test('A rejected change is decided at its card, or in the list of decisions', async ({ page, user }) => {
  await user.add({ title: 'Alpha' })
  await openDashboard(page)
  const decisions = page.getByRole('region', { name: 'Needs your decision' })
  await force(page, 'POST /changes', serverError)
  await press('Alpha', 'p', '1')(page)
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
  await press('Alpha', 'p', '1')(page)
  const again = card(page, 'Alpha').getByRole('button', { name: 'Try again: Alpha' })
  await expect(again).toBeVisible()
  await page.unrouteAll()
  await again.click()
  await expect(card(page, 'Alpha')).toBeFocused()
  await expect(card(page, 'Alpha')).toContainText('HIGH')
  await expect(card(page, 'Alpha')).not.toContainText('was not')
  await expect(decisions).toHaveCount(0)
})
