import type { Page } from '@playwright/test'
import { hold } from './calls.ts'
import { card, editDialog, openDashboard, panelTitle, quickLine, undoBar } from './dashboard-page.ts'
import { day, expect, signedInTest as test } from './fixtures.ts'
import { holdFile, pasteText } from './notes-page.ts'

const palette = (page: Page) => page.getByRole('dialog', { name: 'Go to or do…' })
const field = (page: Page) => palette(page).getByRole('combobox')
const options = (page: Page) => palette(page).getByRole('option')

async function openPalette(page: Page) {
  await page.keyboard.press('ControlOrMeta+k')
  await expect(field(page)).toBeFocused()
}

test('The palette opens a view, a task, a tag and a search by their words', async ({ page, user }) => {
  await user.add({ title: 'Water the tomatoes #garden' })
  await user.add({ title: 'Order firewood', body: 'from Ann', dueDate: day(3) })
  await openDashboard(page, 'Water the tomatoes #garden')
  for (const [query, option, title] of [
    ['upc', 'Upcoming', 'Upcoming'],
    ['garden', '#garden', '#garden · 1 open'],
    ['ann', 'Search all texts for “ann”', 'Search results'],
  ] as const) {
    // From a field too.
    if (query === 'upc') await quickLine(page).focus()
    await openPalette(page)
    await page.keyboard.type(query)
    await expect(options(page).first()).toContainText(option)
    await expect(options(page).first()).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(palette(page)).toBeHidden()
    await expect(panelTitle(page)).toHaveText(title)
  }
  // The palette of a page that was just opened gets its places with the items.
  const release = await hold(page, 'GET /changes')
  await page.reload()
  await expect(card(page, 'Order firewood')).toBeVisible()
  await openPalette(page)
  release()
  await expect(options(page).filter({ hasText: /^(#garden|Upcoming|Today)/ })).toHaveText([
    '#gardenTag',
    /^Upcoming/,
    /^Today/,
  ])
  await page.keyboard.type('TOM wat')
  await expect(options(page)).toHaveText(['Water the tomatoes #gardenTask', 'Search all texts for “TOM wat”'])
  await page.keyboard.press('ArrowUp')
  await expect(options(page).nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(editDialog(page).getByLabel('Title', { exact: true })).toHaveValue(
    'Water the tomatoes #garden',
  )
})

test('While the palette is loaded, characters of AltGr and Option and pasted text are typed into it, and keys of the browser are not held', async ({
  page,
}) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'platform', {
      get: () => sessionStorage.getItem('platform') ?? 'Linux',
    }),
  )
  for (const [platform, typing] of [
    ['Linux', { ctrlKey: true, altKey: true, modifierAltGraph: true }],
    ['MacIntel', { altKey: true }],
  ] as const)
    await test.step(platform, async () => {
      const { arrive } = await holdFile(page, 'rest')
      await openDashboard(page)
      await quickLine(page).fill('Buy eggs')
      await page.keyboard.press(platform === 'Linux' ? 'Control+k' : 'Meta+k')
      const isLeftToTheBrowser = (press: {
        key: string
        ctrlKey?: boolean
        altKey?: boolean
        modifierAltGraph?: boolean
      }) =>
        page.evaluate(
          (press) =>
            document.activeElement?.dispatchEvent(
              new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...press }),
            ),
          press,
        )
      expect(await isLeftToTheBrowser({ key: '#', ...typing })).toBe(false)
      expect(await isLeftToTheBrowser({ key: 'F5' })).toBe(true)
      await pasteText(page, 'gar')
      await page.keyboard.type('den')
      arrive()
      await expect(field(page)).toHaveValue('#garden')
      await expect(quickLine(page)).toHaveValue('Buy eggs')
      await page.unrouteAll()
      await page.evaluate(() => sessionStorage.setItem('platform', 'MacIntel'))
    })
})

test('Without single keys, the palette acts on the card that had the focus', async ({ page, user }) => {
  await user.add({ title: 'Water the plants' })
  await test.step('Text that is typed while the palette is loaded is typed into it', async () => {
    const { promise: allTyped, resolve: load } = Promise.withResolvers<void>()
    await page.route('**/assets/rest-*', (route) => allTyped.then(() => route.continue()))
    await openDashboard(page)
    await quickLine(page).fill('Buy eggs')
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('upx')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('c')
    await page.keyboard.press('Enter')
    load()
    await expect(panelTitle(page)).toHaveText('Upcoming')
    await expect(quickLine(page)).toHaveValue('Buy eggs')
  })
  await openDashboard(page, 'Water the plants')
  await page.keyboard.press('j')
  await expect(card(page, 'Water the plants')).toBeFocused()
  await openPalette(page)
  await page.keyboard.press('ControlOrMeta+k')
  await expect(palette(page)).toBeHidden()
  await expect(card(page, 'Water the plants')).toBeFocused()
  await page.keyboard.press('?')
  await page.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('x')
  await openPalette(page)
  await page.keyboard.type('change prio')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: 'High' }).click()
  await expect(card(page, 'Water the plants')).toContainText('HIGH')
  await expect(undoBar(page)).toContainText('Changed “Water the plants”')
})
