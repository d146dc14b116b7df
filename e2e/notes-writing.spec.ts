import { devices, type Page } from '@playwright/test'
import { calendarDay } from './dashboard-page.ts'
import { day, expect } from './fixtures.ts'
import {
  editor,
  enterNote,
  holdFile,
  noteLink,
  notePane,
  notePath,
  type notesOf,
  pasteText,
  notesTest as test,
  textOf,
  tool,
  writeButton,
} from './notes-page.ts'
import { signIn } from './sign-in.ts'

const saved = (page: Page) => expect(notePane(page).getByText('Saved', { exact: true })).toBeVisible()

const reading = (page: Page) => notePane(page).locator('.reading')

/** Adds a note, opens it and presses the end of its text. `load`: of the page, can wait for the editor. */
async function pressText(page: Page, notes: ReturnType<typeof notesOf>, text: string) {
  const { _id: id } = await notes.add(text)
  await page.goto(notePath(id), { waitUntil: 'domcontentloaded' })
  await reading(page).locator(':scope > :last-child').click()
  return (stored: string) => expect.poll(async () => (await notes.get(id)).text).toBe(stored)
}

test('Before the editor is there, a note is read, and what is typed is in it at once and then in the editor', async ({
  page,
  notes,
}) => {
  await test.step('What is typed is saved also if the editor cannot be loaded, which the page says', async () => {
    const { fail } = await holdFile(page, 'editor')
    fail()
    const stored = await pressText(page, notes, '# Ferry')
    await expect(reading(page).getByRole('heading', { name: 'Ferry' })).toBeVisible()
    await page.keyboard.type('\n9:40')
    await stored('# Ferry\n9:40')
    await saved(page)
    await page.unrouteAll()
    await expect(notePane(page).getByRole('alert')).toContainText('could not be loaded')
    await notePane(page).getByRole('button', { name: 'Try again' }).click()
    await expect(editor(page)).toContainText('9:40')
  })
  const { arrive } = await holdFile(page, 'editor')
  const stored = await pressText(page, notes, 'Ferry\n8:40')
  await page.keyboard.type(' or 9:40')
  await expect(reading(page)).toContainText('8:40 or 9:40')
  // The browser puts the caret at the start of what takes the focus, and a slow page learns that late.
  await page.evaluate(() =>
    addEventListener('focusin', () => {
      for (const end = performance.now() + 300; performance.now() < end; );
    }),
  )
  arrive()
  // Without a pause: a letter that is typed while the editor loads is in it.
  await page.keyboard.type(' or 10:40 at the latest', { delay: 20 })
  await expect(editor(page)).toBeFocused()
  await page.keyboard.type('!')
  await stored('Ferry\n8:40 or 9:40 or 10:40 at the latest!')
  await test.step('What was typed before is undone, and no more than that', async () => {
    for (let presses = 0; presses < 30; presses++) await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(() => textOf(page)).toBe('Ferry\n8:40')
    await page.keyboard.press('ControlOrMeta+Shift+z')
    await expect.poll(() => textOf(page)).toContain('Ferry\n8:40 or 9:40')
  })
})

test('What is pressed before the editor is there is done in it', async ({ page, notes }) => {
  const { _id: id } = await notes.add('Ferry\n\nmiddle\n\nlast')
  const stored = (text: string) => expect.poll(async () => (await notes.get(id)).text).toBe(text)
  const paragraph = (text: string) => reading(page).getByText(text, { exact: true })
  const openLate = async () => {
    const { arrive } = await holdFile(page, 'editor')
    await page.goto(notePath(id), { waitUntil: 'domcontentloaded' })
    return async () => {
      arrive()
      await expect(editor(page)).toBeFocused()
      await page.unrouteAll()
    }
  }
  await test.step('A press puts the caret where it is, keys that are taken back are not in the note, and no line moves', async () => {
    const arrive = await openLate()
    const before = await paragraph('last').boundingBox()
    await paragraph('middle').click({ position: { x: 1, y: 10 } })
    await page.keyboard.type('x')
    await expect(reading(page)).toContainText('xmiddle')
    await page.keyboard.press('Backspace')
    await expect(paragraph('middle')).toBeVisible()
    await page.keyboard.type('the')
    await expect(reading(page)).toContainText('themiddle')
    await arrive()
    const after = await editor(page).locator('.cm-line').last().boundingBox()
    expect(after?.x).toBe(before?.x)
    expect(after?.y).toBeCloseTo(before?.y ?? 0, 0)
    await page.keyboard.type(' ')
    await stored('Ferry\n\nthe middle\n\nlast')
  })
  await test.step('A tool is used', async () => {
    const arrive = await openLate()
    await paragraph('last').click()
    await tool(page, 'Checkbox').click()
    await arrive()
    await stored('Ferry\n\nthe middle\n\n- [ ] last')
  })
  await test.step('Escape leads to the list, and what was typed stays', async () => {
    await openLate()
    // Beside the text.
    await paragraph('the middle').click({ position: { x: 300, y: 10 } })
    await page.keyboard.type(' but one')
    await page.keyboard.press('Escape')
    await expect(noteLink(page, 'Ferry')).toBeFocused()
    await stored('Ferry\n\nthe middle but one\n\n- [ ] last')
  })
})

test('Before the editor is there, keys stay in the note: over a selected word, after a dialog, and after Tab', async ({
  page,
  notes,
}) => {
  const open = async (text: string) => {
    await page.unrouteAll()
    const { arrive } = await holdFile(page, 'editor')
    const { _id: id } = await notes.add(text)
    await page.goto(notePath(id), { waitUntil: 'domcontentloaded' })
    const stored = (text: string) => expect.poll(async () => (await notes.get(id)).text).toBe(text)
    return { arrive, stored }
  }
  await test.step('A selected word is replaced, which can be undone', async () => {
    const { arrive, stored } = await open('Ferry\n\nmiddle word\n\nlast')
    await reading(page)
      .getByText('middle word')
      .dblclick({ position: { x: 10, y: 10 } })
    await page.keyboard.type('1n')
    await expect(reading(page)).toContainText('1n word')
    await stored('Ferry\n\n1n word\n\nlast')
    arrive()
    await expect(editor(page)).toBeFocused()
    await page.keyboard.type('d')
    await stored('Ferry\n\n1nd word\n\nlast')
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(() => textOf(page)).toContain('middle word')
  })
  await test.step('A dialog gives the focus back, also if the editor has come meanwhile', async () => {
    const { arrive, stored } = await open('Ferry')
    await reading(page).click()
    await page.keyboard.type(' one')
    await page.keyboard.press('ControlOrMeta+k')
    const palette = page.getByRole('combobox', { name: 'Go to or do…' })
    await page.keyboard.type('zz')
    await expect(palette).toHaveValue('zz')
    const loaded = page.waitForResponse(/assets\/editor-/)
    arrive()
    await loaded
    await page.keyboard.type('z')
    await expect(palette).toHaveValue('zzz')
    await page.keyboard.press('Escape')
    await page.keyboard.type(' two')
    await expect(editor(page)).toBeFocused()
    await page.keyboard.type('!')
    await stored('Ferry one two!')
  })
  await test.step('Tab moves the item of a list', async () => {
    const { arrive, stored } = await open('- a\n- b')
    await reading(page).getByRole('listitem').last().click()
    await page.keyboard.type('c')
    await page.keyboard.press('Tab')
    await page.keyboard.type('1')
    arrive()
    await stored('- a\n  - bc1')
  })
})

test('Without the editor, keys are text of the note that was opened last, and of no other', async ({
  page,
  notes,
}) => {
  const { _id: ferry } = await notes.add('Ferry')
  const { _id: harbour } = await notes.add('Harbour')
  const text = async (id: string) => (await notes.get(id)).text
  const { arrive } = await holdFile(page, 'editor')
  await page.goto('/dashboard/notes', { waitUntil: 'domcontentloaded' })
  await noteLink(page, 'Ferry').click()
  await expect(reading(page)).toHaveText('Ferry')
  await page.keyboard.type('1 ')
  await expect(reading(page)).toHaveText('1 Ferry')
  await noteLink(page, 'Harbour').click()
  await page.keyboard.type('2 ')
  await expect(reading(page)).toHaveText('2 Harbour')
  await expect.poll(() => text(ferry)).toBe('1 Ferry')
  await writeButton(page).click()
  await page.keyboard.type('3 nuts')
  await expect(noteLink(page, '3 nuts')).toBeVisible()
  await expect.poll(() => text(harbour)).toBe('2 Harbour')
  arrive()
  await expect(editor(page)).toBeFocused()
  await page.keyboard.type(' and bolts')
  await expect(noteLink(page, '3 nuts and bolts')).toBeVisible()
  await expect
    .poll(async () => (await notes.list()).map(({ title }) => title).sort())
    .toEqual(['1 Ferry', '2 Harbour', '3 nuts and bolts'])
})

test('The editor does not take over while an input method composes', async ({ page, notes }) => {
  const { arrive } = await holdFile(page, 'editor')
  const stored = await pressText(page, notes, 'Ferry 8:40')
  const session = await page.context().newCDPSession(page)
  await session.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
  const loaded = page.waitForResponse(/assets\/editor-/)
  arrive()
  await loaded
  await session.send('Input.imeSetComposition', { text: '日本', selectionStart: 2, selectionEnd: 2 })
  await expect(reading(page)).toHaveText('Ferry 8:40日本')
  await session.send('Input.insertText', { text: '日本' })
  await expect(editor(page)).toBeFocused()
  await stored('Ferry 8:40日本')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('all')
  await stored('all')
})

test('Enter, Tab, Home and Ctrl with a key write lists and formats', async ({ page, openNote }) => {
  const list = await openNote('List')
  await page.keyboard.type('\n- one\ntwo\n')
  await page.keyboard.press('Tab')
  await page.keyboard.type('inner')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type('three\n\n1. first\nsecond\n\n- [ ] open\ndone')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.keyboard.type('\n\n')
  await page.keyboard.press('ControlOrMeta+b')
  await page.keyboard.type('bold')
  await list.stored(
    'List\n- one\n- two\n  - inner\n- three\n1. first\n2. second\n- [ ] open\n- [x] done\n**bold**',
  )

  const tent = await openNote('Tent\nRopes\n')
  await page.keyboard.type('[] stove')
  await page.keyboard.press('Home')
  await page.keyboard.type('gas ')
  await page.keyboard.press('Home')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await tent.stored('Tent\nRopes\n\n- [ ] gas stove')
  await test.step('A format is for all selected lines', async () => {
    await page.keyboard.press('ControlOrMeta+a')
    await tool(page, 'Checkbox').click()
    await tent.stored('- [ ] Tent\n- [ ] Ropes\n\n- [ ] gas stove')
    await page.keyboard.press('ControlOrMeta+z')
    await tent.stored('Tent\nRopes\n\n- [ ] gas stove')
  })

  const windows = await openNote('one\r\ntwo\r\n\tthree  ')
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.type('zero\n')
  await windows.stored('zero\r\none\r\ntwo\r\n\tthree  ')
})

test('Markdown is shown formatted when it is loaded, typed and undone', async ({ page, openNote }) => {
  await openNote('Code\n\n```js\n1\n```\n\n#tag')
  const shown = (kind: string, text?: string) =>
    editor(page).locator(`.note-${kind}`, text === undefined ? {} : { hasText: text })
  // The language of a code block does not look like a tag.
  await expect(shown('tag')).toHaveText(['#tag'])
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Ferry\n\n## Times of **today')
  await expect(shown('tag')).toHaveCount(0)
  await expect(shown('heading', 'Times')).toBeVisible()
  await expect(shown('strong')).toHaveCount(0)
  await page.keyboard.type('**')
  await expect(shown('strong', 'today')).toBeVisible()
  await page.keyboard.type('\nfrom #harbour, [tide](https://example.org)')
  await expect(shown('heading', 'from')).toHaveCount(0)
  await expect(shown('tag')).toHaveText('#harbour')
  await expect(shown('link')).toContainText(['tide'])
  await page.keyboard.type('\n```')
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.insertText('```')
  await page.keyboard.press('Enter')
  await expect(shown('tag')).toHaveCount(0)
  // The line break, and the mark.
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(shown('tag')).toHaveText('#harbour')
})

test('Tables, quotes and links are shown as such, except at the caret', async ({ page, openNote }) => {
  const { stored } = await openNote(
    'Ferry\n\n> [Times](https://example.org/)\n\n| Item | Price |\n|---|--:|\n| Ticket | 120 |\n\nend',
  )
  await expect(editor(page).getByRole('row')).toHaveText(['ItemPrice', 'Ticket120'])
  expect(await textOf(page)).toContain('\nTimes\n')
  await editor(page).getByText('Times').click()
  expect(await textOf(page)).toContain('> [Times](https://example.org/)')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(editor(page).getByRole('table')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+End')
  await editor(page).getByRole('cell', { name: '120' }).click()
  await page.keyboard.type('.50')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Cabin')
  await page.keyboard.press('ControlOrMeta+End')
  await expect(editor(page).getByRole('row').last()).toHaveText('Cabin')
  await stored(
    'Ferry\n\n> [Times](https://example.org/)\n\n| Item   |  Price |\n| ------ | -----: |\n| Ticket | 120.50 |\n| Cabin       |        |\n\nend',
  )
})

test('Checkboxes tick in the text and in the reading view', async ({ page, openNote }) => {
  const names = ['day', 'tide', 'harbourmaster', 'telephone', 'moorings', 'restaurant']
  const words = ['Saturday', '09:12', 'watchkeeper', 'switchboard', 'anchorages', 'refreshments']
  const rest = `\n\n|${names.join('|')}|\n|${'---|'.repeat(6)}\n|${words.join('|')}|\n\n[harbour](https://example.org) [bad](javascript:alert(1)) #travel`
  const { stored } = await openNote(`Tides\n\n- [ ] milk\n- [ ] bread${rest}`)
  const pane = notePane(page)
  await editor(page).getByRole('checkbox', { name: 'Tick milk' }).click()
  await saved(page)
  await stored(`Tides\n\n- [x] milk\n- [ ] bread${rest}`)
  await tool(page, 'Reading view').click()
  await pane.getByRole('checkbox', { name: 'bread' }).click()
  await stored(`Tides\n\n- [x] milk\n- [x] bread${rest}`)
  await tool(page, 'Reading view').click()
  await expect(editor(page).getByRole('checkbox', { name: 'Tick bread' })).toBeChecked()
  await tool(page, 'Reading view').click()
  await expect(pane.getByRole('columnheader')).toHaveText(names)
  await expect(pane.getByRole('cell')).toHaveText(words)
  await expect(pane.getByRole('link', { name: 'harbour' })).toHaveAttribute('href', 'https://example.org')
  await expect(pane.getByRole('link', { name: 'bad' })).toHaveCount(0)
  await expect(pane.getByRole('link', { name: '#travel' })).toHaveAttribute('href', '/dashboard?tag=travel')

  await test.step('A wide table scrolls in the reading view, with no word broken', async () => {
    await page.setViewportSize({ width: 380, height: 760 })
    const table = pane.getByRole('region', { name: 'Table' })
    await expect.poll(() => table.evaluate((region) => region.scrollWidth > region.clientWidth)).toBe(true)
    const lines = await pane.getByRole('cell').evaluateAll((cells) =>
      cells.map((cell) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        return range.getClientRects().length
      }),
    )
    expect(lines).toEqual(words.map(() => 1))
  })
})

test('A pasted address becomes a link, of a note with its title', async ({ page, notes, openNote }) => {
  const target = await notes.add('Harbour')
  const { id, stored } = await openNote('harbour')
  // Of another server: here is no such note.
  const note = `https://example.org${notePath(id)}?b=1`
  await page.keyboard.press('ControlOrMeta+a')
  await pasteText(page, note)
  await stored(`[harbour](${note})`)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('port')
  await page.keyboard.press('ControlOrMeta+a')
  const address = 'https://example.org/Port_(sea)'
  await pasteText(page, address)
  await tool(page, 'Reading view').click()
  await expect(notePane(page).getByRole('link', { name: 'port' })).toHaveAttribute('href', address)
  await tool(page, 'Reading view').click()

  // The title is known when the page has the other note.
  await expect(noteLink(page, 'Harbour')).toBeVisible()
  await enterNote(page)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('See ')
  await pasteText(page, new URL(notePath(target._id), page.url()).href)
  await expect(editor(page).getByRole('button', { name: 'Harbour' })).toBeVisible()
  await page.keyboard.type(' or [it](')
  await page.keyboard.press('ControlOrMeta+v')
  await page.keyboard.type(')')
  const link = `(note:${target._id})`
  await stored(`See [Harbour]${link} or [it]${link}`)

  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('See\n')
  await pasteText(page, new URL(notePath(crypto.randomUUID()), page.url()).href)
  await expect(editor(page)).toContainText('Note (not found)')
  await expect(noteLink(page, 'See')).toContainText('Note (not found)')
})

test('A link to a note shows its current title and opens it', async ({ page, context, notes, openNote }) => {
  const target = await notes.add('Old title')
  await notes.write(target._id, 'New **title**\nbody')
  await openNote(`Index\n\n[Old title](note:${target._id})\n`)
  const link = editor(page).getByRole('button', { name: 'New title' })
  await expect(link).toBeVisible()
  await tool(page, 'Reading view').click()
  const opened = context.waitForEvent('page')
  await notePane(page)
    .getByRole('link', { name: 'New title' })
    .click({ modifiers: ['ControlOrMeta'] })
  const other = await opened
  await expect(other).toHaveURL(notePath(target._id))
  await other.close()
  // A page behind a tab that was closed is drawn again only when it is in front.
  await page.bringToFront()
  await tool(page, 'Reading view').click()
  await link.click()
  await expect(page).toHaveURL(notePath(target._id))
  await expect(editor(page)).toContainText('body')
})

test('Two brackets complete a link, and Ctrl+F finds in all lines', async ({ page, user, openNote }) => {
  const task = await user.add({ title: 'Renew the passport' })
  const { stored } = await openNote(`Trip\n${'Pack.\n'.repeat(300)}the låst line`)
  // Tasks can be linked to when the page has them, as the calendar shows.
  await expect(calendarDay(page, day(0)).getByRole('button')).toHaveAccessibleName(/, has tasks/)
  await page.keyboard.type('\n[[')
  await expect(page.getByRole('option', { name: 'Renew the passport' })).toHaveCSS('font-family', /Figtree/)
  await page.keyboard.type('pass\n')
  await stored(new RegExp(`\n\\[Renew the passport\\]\\(task:${task._id}\\)$`))
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('the last')
  await expect(editor(page).getByText('the låst', { exact: true })).toBeInViewport()
})

test('The search in a note counts its matches, and replaces as one change', async ({ page, openNote }) => {
  const { stored } = await openNote('Fruit\npear\nplum\npéar\nPear')
  await tool(page, 'More').click()
  await tool(page, 'Find in the note').click()
  const query = page.getByRole('textbox', { name: 'Find in the note' })
  await query.pressSequentially('pear')
  const count = notePane(page).getByRole('status')
  await expect(count).toHaveText('1 of 3')
  await query.press('Enter')
  await expect(count).toHaveText('2 of 3')
  const replace = page.getByRole('textbox', { name: 'Replace with' })
  await replace.fill('kiwi')
  await replace.press('Enter')
  await expect(editor(page)).toHaveText('FruitpearplumkiwiPear')
  await expect(count).toHaveText('2 of 2')
  await page.getByRole('button', { name: 'Replace all' }).click()
  await expect(editor(page)).toHaveText('Fruitkiwiplumkiwikiwi')
  await stored('Fruit\nkiwi\nplum\nkiwi\nkiwi')
  await editor(page).press('ControlOrMeta+z')
  await expect(editor(page)).toHaveText('FruitpearplumkiwiPear')
  await query.fill('z')
  await expect(count).toHaveText('0 found')
})

test('The outline leads to a heading, and a section folds', async ({ page, notes, openNote }) => {
  const { text } = await openNote(`Trip\n## Pack\ntent\n## Way\n${'mile\n'.repeat(200)}## Food\nrice`)
  await page.keyboard.press('ControlOrMeta+Home')
  await expect(editor(page)).toContainText('tent')
  const openOutline = async () => {
    await tool(page, 'More').click()
    await tool(page, 'Outline').click()
  }
  await openOutline()
  const outline = page.getByRole('navigation', { name: 'Outline' })
  await expect(outline.getByRole('button')).toHaveText(['Pack', 'Way', 'Food'])
  await outline.getByRole('button', { name: 'Food' }).click()
  await expect(editor(page).getByText('rice')).toBeInViewport()
  await page.keyboard.type('My ')
  await expect(editor(page)).toContainText('My ## Food')
  await page.keyboard.press('ControlOrMeta+z')
  await openOutline()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(outline).toHaveCount(0)

  await page.keyboard.press('Alt+Enter')
  await expect(editor(page).getByText('mile')).toHaveCount(0)
  await expect(editor(page).getByText('rice')).toBeInViewport()
  await editor(page).getByRole('button', { name: 'Show the section' }).click()
  await expect(editor(page).getByText('mile').first()).toBeInViewport()
  await page.keyboard.press('ControlOrMeta+Home')
  await editor(page).getByRole('button', { name: 'Fold the section' }).first().click()
  await expect(editor(page)).not.toContainText('tent')
  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('tent')
  await expect(editor(page)).toContainText('tent')

  await page.keyboard.press('Escape')
  await page.keyboard.press('End')
  await page.keyboard.type(', [[Gas stove')
  await expect(page.getByRole('option', { name: 'Write the note “Gas stove”' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(noteLink(page, 'Gas stove')).toBeVisible()
  await expect(editor(page).getByRole('button', { name: 'Gas stove' })).toBeVisible()
  const added = async () => (await notes.list()).find(({ title }) => title === 'Gas stove')?._id
  await expect.poll(added).toBeDefined()
  await expect.poll(text).toContain(`tent, [Gas stove](note:${await added()})`)
})

test('A title in brackets leads to its note, or writes it', async ({ page, notes, openNote }) => {
  const { _id: budget } = await notes.add('Budget\n2,000')
  const { stored } = await openNote('Plan\nWith [[budget]] and [[Harbour]]')
  await page.keyboard.type('\nSee [[Budget]]!\n')
  await expect(editor(page).getByRole('button', { name: 'Budget', exact: true })).toBeVisible()
  await editor(page).getByRole('button', { name: 'budget', exact: true }).click()
  await expect(editor(page)).toContainText('2,000')
  await editor(page).getByText('Budget').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' 2027')
  await page.goBack()
  await expect(editor(page).getByRole('button', { name: 'Budget 2027' })).toHaveCount(2)
  await stored(`Plan\nWith [budget](note:${budget}) and [[Harbour]]\nSee [Budget](note:${budget})!\n`)
  await tool(page, 'Reading view').click()
  await notePane(page).getByRole('button', { name: 'Harbour' }).click()
  await expect(noteLink(page, 'Harbour')).toBeVisible()
  await stored(/and \[Harbour\]\(note:[\da-f-]{36}\)/)
})

test('On Android, Enter begins a new item of a list once', async ({ browser, server, user, notes }) => {
  const { _id: id } = await notes.add('- one')
  const page = await browser.newPage({ ...devices['Pixel 7'], baseURL: server.address })
  await signIn(page, server.address, user.token)
  await page.goto(notePath(id))
  await enterNote(page)
  const keepFrames = () => {
    const frames: FrameRequestCallback[] = []
    const request = window.requestAnimationFrame
    window.requestAnimationFrame = (frame) => frames.push(frame)
    Object.assign(window, {
      showFrames() {
        window.requestAnimationFrame = request
        for (const frame of frames) request(frame)
      },
    })
  }
  await page.evaluate(keepFrames)
  await page.keyboard.press('Enter')
  await page.keyboard.type('two')
  await page.evaluate('showFrames()')
  await page.keyboard.press('Enter')
  await page.keyboard.type('three')
  await expect.poll(async () => (await notes.get(id)).text).toBe('- one\n- two\n- three')
  await page.close()
})
