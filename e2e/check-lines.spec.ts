import type { Locator } from '@playwright/test'
import { recordCalls, settle } from './calls.ts'
import { card, cards, openDashboard, undoBar } from './dashboard-page.ts'
import { expect, expectToasts, signedInTest as test } from './fixtures.ts'

const body = 'Tent first.\n- [x] Sleeping bags\n- [ ] Stove\n- [ ] Matches'
const line = (place: Locator, name: string) => place.getByRole('checkbox', { name, exact: true })

test.beforeEach(async ({ page, user }) => {
  await user.add({ title: 'Pack', body })
  await openDashboard(page, 'Pack')
})

test('A line of a body is ticked in place by one call, without a flicker', async ({ page }) => {
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

  await test.step('The tick stays while the server’s answer takes its place', async () => {
    const states = await line(pack, 'Matches').evaluate(async (box: HTMLInputElement) => {
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
    await expect(line(pack, 'Matches')).not.toBeChecked()
  })
})

test('Links and long bodies are shown beside lines to tick', async ({ page, user }) => {
  await user.add({ title: 'Link', body: '- [ ] see https://example.org/a' })
  await user.add({ title: 'Long', body: '- [ ] line\n'.repeat(30) })
  await user.add({ title: 'Move out', body: '#work\n- [ ] Pack #books\n- [ ] Sell the sofa' })
  await expect(cards(page)).toHaveCount(4)
  await expect(card(page, 'Link').getByRole('link')).toHaveAttribute('href', 'https://example.org/a')
  await expect(card(page, 'Long').getByRole('checkbox', { name: 'line' })).toHaveCount(0)
  await card(page, 'Long').getByRole('button', { name: '0 of 30' }).click()
  await expect(card(page, 'Long').getByRole('checkbox', { name: 'line' })).toHaveCount(30)
  await test.step('A tag at the end of a text or a line before lines to tick is a link', () =>
    expect(card(page, 'Move out').getByRole('link')).toHaveText(['#work', '#books']))
})
