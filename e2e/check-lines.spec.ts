import type { Locator } from '@playwright/test'
import { force, hold, intercept, recordCalls, serverError, settle } from './calls.ts'
import { card, cards, editButton, editDialog, fillTask, openDashboard, undoBar } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import { expectToasts } from './toasts.ts'

const body = 'Tent first.\n- [x] Sleeping bags\n- [ ] Stove\n- [ ] Matches'
const line = (place: Locator, name: string) => place.getByRole('checkbox', { name, exact: true })

test.beforeEach(async ({ page, user }) => {
  await user.add({ title: 'Pack', body })
  await openDashboard(page)
  await expect(card(page, 'Pack')).toBeVisible()
})

test('A line of a body is ticked in place by one call, without a message, and unticked', async ({ page }) => {
  const pack = card(page, 'Pack')
  await expect(line(pack, 'Sleeping bags')).toBeChecked()
  const calls = recordCalls(page)
  await line(pack, 'Stove').check()
  await expect(undoBar(page)).toContainText('Changed “Pack”')
  await line(pack, 'Sleeping bags').press('Space')
  await expect(line(pack, 'Sleeping bags')).not.toBeChecked()
  await expect(line(pack, 'Sleeping bags')).toBeFocused()
  await settle(page, calls)
  expect(calls.map(({ call }) => call)).toEqual(['POST /changes', 'POST /changes'])
  expect(calls[0]?.body).toMatchObject({
    changes: [{ base: expect.any(Number), set: { body: body.replace('[ ] Stove', '[x] Stove') } }],
  })
  await expectToasts(page, [])
  await page.reload()
  await expect(line(pack, 'Stove')).toBeChecked()
  await expect(line(pack, 'Sleeping bags')).not.toBeChecked()
})

test('A tick stays while the server’s answer takes its place, and is undone by Undo', async ({ page }) => {
  const states = await line(card(page, 'Pack'), 'Stove').evaluate(async (box: HTMLInputElement) => {
    const seen: boolean[] = []
    box.click()
    const isStored = () => document.querySelector('[data-shown=true]') !== null
    while (!isStored() || seen.length < 60) {
      seen.push(box.checked)
      await new Promise(requestAnimationFrame)
    }
    return seen
  })
  expect(new Set(states)).toEqual(new Set([true]))
  await undoBar(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(line(card(page, 'Pack'), 'Stove')).not.toBeChecked()
})

test('Ticks in quick succession are shown at once and all stored, one after the other', async ({ page }) => {
  const pack = card(page, 'Pack')
  const release = await hold(page, 'POST /changes')
  const calls = recordCalls(page)
  for (const name of ['Stove', 'Matches']) await line(pack, name).check()
  await line(pack, 'Sleeping bags').uncheck()
  for (const name of ['Stove', 'Matches']) await expect(line(pack, name)).toBeChecked()
  release()
  await expect.poll(() => calls.length).toBe(3)
  await settle(page, calls)
  await page.reload()
  for (const name of ['Stove', 'Matches']) await expect(line(pack, name)).toBeChecked()
  await expect(line(pack, 'Sleeping bags')).not.toBeChecked()
})

test('A line that another tab has moved meanwhile is ticked where it is now', async ({ page, context }) => {
  const other = await context.newPage()
  await openDashboard(other)
  await intercept(page, 'GET /changes', (route) => route.abort())
  await editButton(other, 'Pack').click()
  await fillTask(editDialog(other), { body: `New line.\n${body}` })
  await editDialog(other).getByRole('button', { name: 'Save' }).click()
  await expect(card(other, 'Pack')).toContainText('New line.')
  await expect(card(page, 'Pack')).not.toContainText('New line.')
  await line(card(page, 'Pack'), 'Stove').check()
  await expect(card(page, 'Pack')).toContainText('New line.')
  await expect(line(card(page, 'Pack'), 'Stove')).toBeChecked()
  await expect(line(card(other, 'Pack'), 'Stove')).toBeChecked()
  await expect(card(other, 'Pack')).toContainText('New line.')
})

test('A line that another tab has removed is not ticked, and the card says so', async ({ page, context }) => {
  const other = await context.newPage()
  await openDashboard(other)
  await intercept(page, 'GET /changes', (route) => route.abort())
  await editButton(other, 'Pack').click()
  await fillTask(editDialog(other), { body: '- [ ] Gas' })
  await editDialog(other).getByRole('button', { name: 'Save' }).click()
  await expect(line(card(other, 'Pack'), 'Gas')).toBeVisible()
  // Either tab can send the tick, and only the one that does learns the new body from the answer.
  await other.close()
  await line(card(page, 'Pack'), 'Stove').click()
  await expect(card(page, 'Pack')).toContainText('This line was not changed. It was changed elsewhere.')
  await expect(line(card(page, 'Pack'), 'Gas')).not.toBeChecked()
})

test('A tick that fails is taken back, and the card says so', async ({ page }) => {
  await force(page, 'POST /changes', serverError)
  await line(card(page, 'Pack'), 'Stove').click()
  await expect(card(page, 'Pack')).toContainText('This line was not changed.')
  await expect(line(card(page, 'Pack'), 'Stove')).not.toBeChecked()
  await page.unrouteAll()
  await line(card(page, 'Pack'), 'Stove').check()
  await expect(card(page, 'Pack')).not.toContainText('This line was not changed.')
})

test('Markup, links, tags and long bodies are shown unchanged beside lines to tick', async ({
  page,
  user,
}) => {
  const markup = '<img src=x onerror="document.title=1"><b>bold</b>'
  await user.add({ title: 'Hostile', body: `- [ ] ${markup}\n- [ ] see https://example.org/a` })
  await user.add({ title: 'Long', body: '- [ ] line\n'.repeat(30) })
  await user.add({ title: 'Move out', body: '#work\n- [ ] Pack #books\n- [ ] Sell the sofa' })
  await expect(cards(page)).toHaveCount(4)
  await expect(line(card(page, 'Hostile'), markup)).toBeVisible()
  await expect(cards(page).locator('img, b')).toHaveCount(0)
  await expect(page).not.toHaveTitle('1')
  await expect(card(page, 'Hostile').getByRole('link')).toHaveAttribute('href', 'https://example.org/a')
  await expect(card(page, 'Long').getByRole('checkbox', { name: 'line' })).toHaveCount(0)
  await card(page, 'Long').getByRole('button', { name: '0 of 30' }).click()
  await expect(card(page, 'Long').getByRole('checkbox', { name: 'line' })).toHaveCount(30)
  await test.step('A tag at the end of a text or a line before lines to tick is a link', () =>
    expect(card(page, 'Move out').getByRole('link')).toHaveText(['#work', '#books']))
})
