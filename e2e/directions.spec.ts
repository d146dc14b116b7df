import { expect } from './fixtures.ts'
import { editor, notePane, notePath, notesTest as test, tool } from './notes-page.ts'

const text = `Einkauf

- שלום עולם
  - inner
- [ ] לחם

1. מים
2. milk

> ציטוט

- [ ] bread
  - שלום
`

test('Marks of right-to-left lines, items and quotes are on the right', async ({ page, notes }) => {
  const { _id: id } = await notes.add(text)
  await page.goto(notePath(id))
  const direction = (words: string) =>
    editor(page)
      .locator('.cm-line')
      .filter({ hasText: words })
      .first()
      .evaluate((line) => getComputedStyle(line).direction)
  for (const words of ['עולם', 'לחם', 'מים', 'ציטוט']) await expect.poll(() => direction(words)).toBe('rtl')
  for (const words of ['Einkauf', 'inner', 'milk', 'bread']) expect(await direction(words)).toBe('ltr')
  const checkbox = editor(page).getByRole('checkbox', { name: 'Tick לחם' })
  const box = await checkbox.boundingBox()
  const line = await editor(page).locator('.cm-line').filter({ hasText: 'לחם' }).boundingBox()
  expect((box?.x ?? 0) - (line?.x ?? 0)).toBeGreaterThan((line?.width ?? 0) / 2)

  await tool(page, 'Reading view').click()
  const reading = notePane(page)
  const itemOf = (words: string) =>
    reading
      .getByRole('listitem')
      .filter({ hasText: words })
      .last()
      .evaluate((item) => getComputedStyle(item).direction)
  for (const words of ['לחם', 'מים']) expect(await itemOf(words)).toBe('rtl')
  for (const words of ['inner', 'milk']) expect(await itemOf(words)).toBe('ltr')
  expect(await reading.getByRole('blockquote').evaluate((quote) => getComputedStyle(quote).direction)).toBe(
    'rtl',
  )
})
