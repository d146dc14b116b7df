import { devices, type Page } from '@playwright/test'
import { calendarDay, openDashboard, undoBar } from './dashboard-page.ts'
import { day } from './days.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import { editor, field, noteLink, notePane, notePath, notesOf, textOf, tool } from './notes-page.ts'
import { signIn } from './sign-in.ts'

/** Keeps the editor from loading until the returned function is called. */
async function holdEditor(page: Page) {
  const released = Promise.withResolvers<void>()
  await page.route('**/assets/create-editor-*.js', async (route) => {
    await released.promise
    await route.continue()
  })
  return released.resolve
}

/** The event `load` can wait for the editor. */
const openWithoutEditor = (page: Page, id: string) =>
  page.goto(notePath(id), { waitUntil: 'domcontentloaded' })

const saved = (page: Page) => expect(notePane(page).getByText('Saved', { exact: true })).toBeVisible()

/** Waits until the server has this text. Until the page shows that the last key is not saved, it can still show that those before are. */
const expectStored = (notes: ReturnType<typeof notesOf>, id: string, text: string) =>
  expect.poll(async () => (await notes.get(id)).text).toBe(text)

test('The text area works before the editor has loaded, and the editor takes over with the text, the focus and the selection', async ({
  page,
  server,
  user,
}) => {
  const { _id: id } = await notesOf(server, user).add('Ferry\n8:40')
  const arrive = await holdEditor(page)
  await openWithoutEditor(page, id)
  await expect(field(page)).toHaveValue('Ferry\n8:40')
  await field(page).focus()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(' or 9:40')
  arrive()
  // Without a pause: a letter that is typed while the editor loads is in one of the two.
  await page.keyboard.type(' or 10:40 at the latest', { delay: 20 })
  await expect(editor(page)).toBeFocused()
  await page.keyboard.type('!')
  await expectStored(notesOf(server, user), id, 'Ferry\n8:40 or 9:40 or 10:40 at the latest!')
})

test('Text that was typed before the editor has loaded is undone in it, and no more than that', async ({
  page,
  server,
  user,
}) => {
  const { _id: id } = await notesOf(server, user).add('Ferry\n8:40')
  const arrive = await holdEditor(page)
  await openWithoutEditor(page, id)
  await field(page).focus()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(' or 9:40')
  arrive()
  await expect(editor(page)).toBeFocused()
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => textOf(page)).toBe('Ferry\n8:40')
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => textOf(page)).toBe('Ferry\n8:40')
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect.poll(() => textOf(page)).toBe('Ferry\n8:40 or 9:40')
})

test('The editor does not take over while an input method composes, and keeps a selection that was made before', async ({
  page,
  server,
  user,
}) => {
  const { _id: id } = await notesOf(server, user).add('Ferry 8:40')
  const arrive = await holdEditor(page)
  await openWithoutEditor(page, id)
  await field(page).focus()
  const session = await page.context().newCDPSession(page)
  await page.keyboard.press('ControlOrMeta+End')
  await session.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
  const loaded = page.waitForResponse(/create-editor-/)
  arrive()
  await loaded
  await session.send('Input.imeSetComposition', { text: '日本', selectionStart: 2, selectionEnd: 2 })
  await expect(page.locator('textarea.note-area')).toBeVisible()
  await session.send('Input.insertText', { text: '日本' })
  await page.keyboard.press('ControlOrMeta+a')
  await expect(editor(page)).toBeFocused()
  await page.keyboard.type('all')
  await expectStored(notesOf(server, user), id, 'all')
})

test('Without the editor, the text area stays and saves', async ({ page, server, user }) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry')
  await page.route('**/assets/create-editor-*.js', (route) => route.abort())
  await page.goto(notePath(id))
  await field(page).fill('Ferry\n9:40')
  await expectStored(notes, id, 'Ferry\n9:40')
  await saved(page)
})

test('A text with Windows line breaks is stored as it was, apart from the edits', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('one\r\ntwo\r\n\tthree  ')
  await page.goto(notePath(id))
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.type('zero\n')
  await expectStored(notes, id, 'zero\r\none\r\ntwo\r\n\tthree  ')
})

test('Enter continues lists and ends them, Tab indents, Ctrl+Enter ticks, Ctrl+B emphasizes', async ({
  page,
  server,
  user,
}) => {
  await openDashboard(page)
  await page.keyboard.press('w')
  await expect(editor(page)).toBeFocused()
  await page.keyboard.type('List\n- one\ntwo\n')
  await page.keyboard.press('Tab')
  await page.keyboard.type('inner')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type('three\n\n1. first\nsecond\n\n- [ ] open\ndone')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.keyboard.type('\n\n')
  await page.keyboard.press('ControlOrMeta+b')
  await page.keyboard.type('bold')
  await expect(noteLink(page, 'List')).toBeVisible()
  await saved(page)
  await expectStored(
    notesOf(server, user),
    new URL(page.url()).pathname.split('/').at(-1) as string,
    'List\n- one\n- two\n  - inner\n- three\n1. first\n2. second\n- [ ] open\n- [x] done\n**bold**',
  )
})

test('Home stops behind the mark and then before it, [] makes a checkbox, and a format is for all selected lines', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Tent\nRopes\n')
  await page.goto(notePath(id))
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('[] stove')
  await page.keyboard.press('Home')
  await page.keyboard.type('gas ')
  await page.keyboard.press('Home')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expectStored(notes, id, 'Tent\nRopes\n\n- [ ] gas stove')
  await page.keyboard.press('ControlOrMeta+a')
  await tool(page, 'Checkbox').click()
  await expectStored(notes, id, '- [ ] Tent\n- [ ] Ropes\n\n- [ ] gas stove')
  await page.keyboard.press('ControlOrMeta+z')
  await expectStored(notes, id, 'Tent\nRopes\n\n- [ ] gas stove')
})

test('Markdown is shown formatted as it is loaded, while it is typed and after it is undone', async ({
  page,
  server,
  user,
}) => {
  const { _id: id } = await notesOf(server, user).add('Code\n\n```js\n1\n```\n\n#tag')
  await page.goto(notePath(id))
  // The language of a code block does not look like a tag.
  await expect(editor(page).locator('.note-tag')).toHaveText(['#tag'])
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Ferry\n\n## Times of **today')
  await expect(editor(page).locator('.note-tag')).toHaveCount(0)
  await expect(editor(page).locator('.note-heading', { hasText: 'Times' })).toBeVisible()
  await expect(editor(page).locator('.note-strong')).toHaveCount(0)
  await page.keyboard.type('**')
  await expect(editor(page).locator('.note-strong', { hasText: 'today' })).toBeVisible()
  await page.keyboard.type('\nfrom #harbour, [tide](https://example.org)')
  await expect(editor(page).locator('.note-heading', { hasText: 'from' })).toHaveCount(0)
  await expect(editor(page).locator('.note-tag')).toHaveText('#harbour')
  await expect(editor(page).locator('.note-link')).toContainText(['tide'])
  await page.keyboard.type('\n```')
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.type('```\n')
  await expect(editor(page).locator('.note-tag')).toHaveCount(0)
  // The line break, and the mark.
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(editor(page).locator('.note-tag')).toHaveText('#harbour')
})

test('A table, a quote and a link are shown as such except where the caret is, and a table is written cell by cell', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const table = '| Item | Price |\n|---|--:|\n| Ticket | 120 |'
  const { _id: id } = await notes.add(`Ferry\n\n> [Times](https://example.org/)\n\n${table}\n\nend`)
  await page.goto(notePath(id))
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
  await expectStored(
    notes,
    id,
    'Ferry\n\n> [Times](https://example.org/)\n\n| Item   |  Price |\n| ------ | -----: |\n| Ticket | 120.50 |\n| Cabin       |        |\n\nend',
  )
})

test('Checkboxes tick in the text and in the reading view', async ({ page, server, user }) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Shopping\n\n- [ ] milk\n- [ ] bread')
  await page.goto(notePath(id))
  await editor(page).getByRole('checkbox', { name: 'Tick milk' }).click()
  await saved(page)
  await expect.poll(async () => (await notes.get(id)).text).toBe('Shopping\n\n- [x] milk\n- [ ] bread')
  await tool(page, 'Reading view').click()
  await notePane(page).getByRole('checkbox', { name: 'bread' }).click()
  await expect.poll(async () => (await notes.get(id)).text).toBe('Shopping\n\n- [x] milk\n- [x] bread')
  await tool(page, 'Reading view').click()
  await expect(editor(page).getByRole('checkbox', { name: 'Tick bread' })).toBeChecked()
})

test('The reading view shows tables, which scroll if they are wide, links of allowed schemes and tags', async ({
  page,
  server,
  user,
}) => {
  const names = ['day', 'tide', 'harbourmaster', 'telephone', 'moorings', 'restaurant']
  const words = ['Saturday', '09:12', 'watchkeeper', 'switchboard', 'anchorages', 'refreshments']
  const { _id: id } = await notesOf(server, user).add(
    `Tides\n\n|${names.join('|')}|\n|${'---|'.repeat(6)}\n|${words.join('|')}|\n\n[harbour](https://example.org) [bad](javascript:alert(1)) #travel`,
  )
  await page.goto(notePath(id))
  await tool(page, 'Reading view').click()
  const pane = notePane(page)
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

async function pasteOverAll(page: Page, text: string) {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('ControlOrMeta+v')
}

test('An address that is pasted over a selection becomes a link, also with parentheses', async ({
  page,
  context,
  server,
  user,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('harbour')
  await page.goto(notePath(id))
  await editor(page).click()
  // Of another server: here is no such note.
  const note = `https://example.org${notePath(id)}?b=1`
  await pasteOverAll(page, note)
  await expectStored(notes, id, `[harbour](${note})`)

  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('port')
  const address = 'https://example.org/Port_(sea)'
  await pasteOverAll(page, address)
  await tool(page, 'Reading view').click()
  await expect(notePane(page).getByRole('link', { name: 'port' })).toHaveAttribute('href', address)
})

test('The pasted address of a note becomes a link that shows its current title', async ({
  page,
  context,
  server,
  user,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const notes = notesOf(server, user)
  const target = await notes.add('Harbour')
  const { _id: id } = await notes.add('See')
  await page.goto(notePath(target._id))
  await page.evaluate(() => navigator.clipboard.writeText(location.href))
  await page.goto(notePath(id))
  // The title is known when the page has the other note.
  await expect(noteLink(page, 'Harbour')).toBeVisible()
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(' ')
  await page.keyboard.press('ControlOrMeta+v')
  await expect(editor(page).getByRole('button', { name: 'Harbour' })).toBeVisible()
  await page.keyboard.type(' or [it](')
  await page.keyboard.press('ControlOrMeta+v')
  await page.keyboard.type(')')
  const link = `(note:${target._id})`
  await expect.poll(async () => (await notes.get(id)).text).toBe(`See [Harbour]${link} or [it]${link}`)
})

test('A pasted address of a note that does not exist says so, also in the list', async ({
  page,
  context,
  server,
  user,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { _id: id } = await notesOf(server, user).add('See\n')
  await page.goto(notePath(id))
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  const address = server.address + notePath(crypto.randomUUID())
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), address)
  await page.keyboard.press('ControlOrMeta+v')
  await expect(editor(page)).toContainText('Note (not found)')
  await expect(noteLink(page, 'See')).toContainText('Note (not found)')
})

test('A link to a note shows its current title and opens it, with Ctrl in another tab', async ({
  page,
  context,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const target = await notes.add('Old title')
  const { _id: id } = await notes.add(`Index\n\n[Old title](note:${target._id})\n`)
  await notes.write(target._id, 'New **title**\nbody')
  await page.goto(notePath(id))
  const link = editor(page).getByRole('button', { name: 'New title' })
  await expect(link).toBeVisible()
  await tool(page, 'Reading view').click()
  const opened = context.waitForEvent('page')
  await notePane(page)
    .getByRole('link', { name: 'New title' })
    .click({ modifiers: ['ControlOrMeta'] })
  await (await opened).close()
  await tool(page, 'Reading view').click()
  await link.click()
  await expect(page).toHaveURL(notePath(target._id))
  await expect(editor(page)).toContainText('body')
})

test('One key makes a line a task, which links back to the note', async ({ page, server, user }) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Garden\n\n- [ ] Water the tomatoes\n- Sow beans')
  await page.goto(notePath(id))
  await editor(page).getByText('Water the tomatoes').click()
  await page.keyboard.press('ControlOrMeta+Shift+Enter')
  await expect(undoBar(page)).toContainText('Added “Water the tomatoes”')
  const task = editor(page).getByRole('button', { name: 'Water the tomatoes' })
  await expect(task).toBeVisible()
  await expect
    .poll(async () => (await notes.get(id)).text)
    .toMatch(/^Garden\n\n- \[Water the tomatoes\]\(task:[0-9a-f-]{36}\)\n- Sow beans$/)
  await task.click()
  await expect(
    page.getByRole('dialog', { name: 'Edit Task' }).getByLabel('Due Date', { exact: true }),
  ).toHaveValue(day(0))
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Today', exact: true }).click()
  await page
    .getByRole('article', { name: 'Water the tomatoes' })
    .getByRole('link', { name: 'Garden' })
    .click()
  await expect(page).toHaveURL(notePath(id))
})

test('In the text, Ctrl+Z undoes typing and not the last change of the dashboard', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry')
  await page.goto(notePath(id))
  await tool(page, 'Pin the note').click()
  await expect(undoBar(page)).toContainText('Pinned “Ferry”')
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  // At once: with a pause between two letters they would be two changes.
  await page.keyboard.insertText(' boat')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(editor(page)).toHaveText('Ferry')
  await expect(tool(page, 'Pin the note')).toHaveAttribute('aria-pressed', 'true')
})

test('Two brackets complete a link, Ctrl+F finds in lines that are not rendered, and pasted formatting becomes Markdown', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const task = await user.add({ title: 'Renew the passport' })
  const { _id: id } = await notes.add(`Trip\n${'Pack.\n'.repeat(300)}the låst line`)
  await page.goto(notePath(id))
  // Tasks can be linked to when the page has them, as the calendar shows.
  await expect(calendarDay(page, day(0)).getByRole('button')).toHaveAccessibleName(/, has tasks/)
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('\n[[')
  await expect(page.getByRole('option', { name: 'Renew the passport' })).toHaveCSS('font-family', /Figtree/)
  await page.keyboard.type('pass\n\n')
  await editor(page).evaluate((content) => {
    const clipboardData = new DataTransfer()
    const html =
      '<h2>Plan</h2><ul><li>one <b>bold</b></li><li><a href="https://example.org/">two</a></li></ul><img src="/x">'
    clipboardData.setData('text/html', html)
    clipboardData.setData('text/plain', 'Plan one bold two')
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await expect(editor(page).getByText('bold', { exact: true })).toBeVisible()
  const text = async () => (await notes.get(id)).text
  await expect
    .poll(text)
    .toContain(
      `\n[Renew the passport](task:${task._id})\n## Plan\n\n- one **bold**\n- [two](https://example.org/)`,
    )
  expect(await text()).not.toContain('/x')
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('the last')
  await expect(editor(page).getByText('the låst', { exact: true })).toBeInViewport()
})

test('The search in a note says which match is selected, of how many, while a query is typed, and replaces as one change', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Fruit\npear\nplum\npéar\nPear')
  await page.goto(notePath(id))
  await expect(editor(page)).toContainText('plum')
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
  await expect.poll(async () => (await notes.get(id)).text).toBe('Fruit\nkiwi\nplum\nkiwi\nkiwi')
  await editor(page).press('ControlOrMeta+z')
  await expect(editor(page)).toHaveText('FruitpearplumkiwiPear')
  await query.fill('z')
  await expect(count).toHaveText('0 found')
})

test('The outline of a note leads to a heading, a section folds by its button and by Alt+Enter, and `[[` writes a note', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add(`Trip\n## Pack\ntent\n## Way\n${'mile\n'.repeat(200)}## Food\nrice`)
  await page.goto(notePath(id))
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
  await page.keyboard.press('Enter')
  await expect(noteLink(page, 'Gas stove')).toBeVisible()
  await expect(editor(page).getByRole('button', { name: 'Gas stove' })).toBeVisible()
  const added = async () => (await notes.list()).find(({ title }) => title === 'Gas stove')?._id
  await expect.poll(added).toBeDefined()
  await expect
    .poll(async () => (await notes.get(id)).text)
    .toContain(`tent, [Gas stove](note:${await added()})`)
})

test('A title in brackets leads to its note, also after a rename, and writes the note if there is none', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: budget } = await notes.add('Budget\n2,000')
  const { _id: id } = await notes.add('Plan\nWith [[budget]] and [[Harbour]]')
  await page.goto(notePath(id))
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('\nSee [[Budget]]!\n')
  await expect(editor(page).getByRole('button', { name: 'Budget', exact: true })).toBeVisible()
  await editor(page).getByRole('button', { name: 'budget', exact: true }).click()
  await expect(editor(page)).toContainText('2,000')
  await editor(page).getByText('Budget').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' 2027')
  await page.goBack()
  await expect(editor(page).getByRole('button', { name: 'Budget 2027' })).toHaveCount(2)
  const text = async () => (await notes.get(id)).text
  await expect
    .poll(text)
    .toBe(`Plan\nWith [budget](note:${budget}) and [[Harbour]]\nSee [Budget](note:${budget})!\n`)
  await tool(page, 'Reading view').click()
  await notePane(page).getByRole('button', { name: 'Harbour' }).click()
  await expect(noteLink(page, 'Harbour')).toBeVisible()
  await expect.poll(text).toMatch(/and \[Harbour\]\(note:[\da-f-]{36}\)/)
})

test('On Android, Enter begins a new item of a list once, also if text follows before the next frame', async ({
  browser,
  server,
  user,
}) => {
  const { _id: id } = await notesOf(server, user).add('- one')
  const page = await browser.newPage({ ...devices['Pixel 7'], baseURL: server.address })
  await signIn(page, server.address, user.token)
  await page.goto(notePath(id))
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
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
  await expectStored(notesOf(server, user), id, '- one\n- two\n- three')
  await page.close()
})
