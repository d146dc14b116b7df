import type { Page } from '@playwright/test'
import {
  addDialog,
  badge,
  card,
  cards,
  editDialog,
  openDashboard,
  panelTitle,
  quickLine,
} from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import { editor, textOf } from './notes-page.ts'

/** What the keys of a US keyboard type on a Russian layout. A unit test of `pressedKey` has all keys of others. */
const layout: Record<string, string> = {
  ...{ k: 'л', n: 'т', w: 'ц', q: 'й', j: 'о', s: 'ы', a: 'ф', x: 'ч', m: 'ь', p: 'з', t: 'е', e: 'у' },
  ...{ z: 'я', b: 'и', '/': '.', '?': ',' },
}

const ctrl = 2
const shift = 8

/** Presses the keys of these characters of a US keyboard on another layout, as a browser reports them that knows no key code. */
async function pressesOn(page: Page) {
  const session = await page.context().newCDPSession(page)
  return async (character: string, modifiers = 0) => {
    const isShifted = character === '?' || Boolean(modifiers & shift)
    const key = layout[character] ?? character
    const code = /\d/.test(character)
      ? `Digit${character}`
      : /[a-z]/.test(character)
        ? `Key${character.toUpperCase()}`
        : 'Slash'
    const press = {
      key: isShifted ? key.toUpperCase() : key,
      code,
      modifiers: modifiers | (isShifted ? shift : 0),
    }
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...press })
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...press })
  }
}

test('On a Russian layout all shortcuts work', async ({ page, user }) => {
  for (const title of ['one', 'two']) await user.add({ title })
  await openDashboard(page, 2)
  const press = await pressesOn(page)
  const leave = () => page.keyboard.press('Escape')
  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
  const selection = page.getByRole('region', { name: 'Selection', exact: true })

  await press('?')
  await expect(dialog('Keys')).toBeVisible()
  await leave()
  await press('k', ctrl)
  await expect(dialog('Go to or do…')).toBeVisible()
  await press('k', ctrl)
  await expect(dialog('Go to or do…')).toHaveCount(0)
  await press('n')
  await expect(addDialog(page)).toBeVisible()
  await leave()
  await press('q')
  await expect(quickLine(page)).toBeFocused()
  await leave()
  await press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await leave()
  await press('2')
  await expect(panelTitle(page)).toHaveText('Recent')
  await press('1')
  await expect(cards(page)).toHaveCount(2)

  await page.keyboard.press('ArrowDown')
  await press('j')
  await press('k')
  const [first = ''] = await cards(page).getByRole('heading').allTextContents()
  await expect(card(page, first)).toBeFocused()
  await press('s')
  await expect(selection).toContainText('1 selected')
  await press('a', ctrl)
  await expect(selection).toContainText('2 selected')
  await leave()
  await expect(selection).toHaveCount(0)
  await press('x')
  await expect(card(page, first)).toHaveCount(0)
  await press('z', ctrl)
  await expect(card(page, first)).toBeVisible()
  await press('z', ctrl | shift)
  await expect(card(page, first)).toHaveCount(0)
  await press('z', ctrl)
  await expect(card(page, first)).toBeVisible()
  await card(page, first).focus()
  await press('p')
  await expect(page.getByRole('menu')).toBeVisible()
  await press('1')
  await expect(badge(card(page, first))).toHaveText('HIGH')
  await card(page, first).focus()
  await press('e')
  await expect(editDialog(page)).toBeVisible()
  await leave()
  await card(page, first).focus()
  await press('m')
  await expect(dialog('Move')).toBeVisible()
  await press('m')
  await page.keyboard.insertText(layout.m ?? '')
  await page.keyboard.press('Enter')
  await expect(card(page, first)).toHaveCount(0)

  await press('w')
  await editor(page).fill('word')
  await press('a', ctrl)
  await press('b', ctrl)
  await expect.poll(() => textOf(page)).toBe('**word**')
  await press('z', ctrl)
  await expect.poll(() => textOf(page)).toBe('word')
  await press('z', ctrl | shift)
  await expect.poll(() => textOf(page)).toBe('**word**')
})
