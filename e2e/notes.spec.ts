import { hold, recordCalls, requestOf, settle } from './calls.ts'
import { openDashboard, openList, panelTitle, sidebarButton, undoBar } from './dashboard-page.ts'
import { openFollowing } from './devices.ts'
import { expect, expectToasts, phone } from './fixtures.ts'
import {
  cutOff,
  draftsIn,
  editor,
  enterNote,
  field,
  holdFile,
  noteLink,
  notePane,
  notePath,
  notesList,
  notesTest as test,
  tool,
  writeButton,
} from './notes-page.ts'
import { logIn } from './sign-in.ts'

test('The list of notes follows the changes of other devices', async ({ page, notes }) => {
  await openFollowing(page, '/dashboard/notes')
  const nothing = page.getByText('No notes yet', { exact: true })
  await expect(nothing).toBeVisible()
  const { _id: id } = await notes.add('elsewhere')
  await expect(noteLink(page, 'elsewhere')).toBeVisible()
  await expect(nothing).toHaveCount(0)
  await notes.write(id, 'renamed')
  await expect(noteLink(page, 'renamed')).toBeVisible()
  await notes.change(id, { deleted: true })
  await expect(nothing).toBeVisible()
  await expectToasts(page, [])
})

test('The notes are listed, and opening one is an entry of the history', async ({ page, notes }) => {
  await notes.add('# **Ferry** to `Ven`\n\n- [ ] *tickets*\n- [x] [map](https://example.org/map)')
  const first = await notes.add('# Harbour\nopens at nine')
  await notes.add('Shopping\nmilk', { pinned: true })
  await notes.add('Ideas')
  await page.goto('/dashboard/notes')
  await expect(notesList(page).getByRole('listitem')).toHaveText([
    /^Shoppingpinnedmilk Today$/,
    /^Ideas/,
    /^Harbouropens at nine Today$/,
    /^Ferry to Ven\s*tickets map Today$/,
  ])
  const calls = recordCalls(page)
  const openings = () => calls.filter(({ call }) => /^GET \/notes\/./.test(call)).length
  await noteLink(page, 'Harbour').click()
  await expect(page).toHaveURL(notePath(first._id))
  await expect(editor(page)).toContainText('opens at nine')
  await expect(noteLink(page, 'Harbour')).toHaveAttribute('aria-current', 'true')
  await settle(page, calls)
  expect(openings()).toBe(1)
  await page.goBack()
  await expect(page).toHaveURL('/dashboard/notes')
  await expect(notePane(page)).toHaveCount(0)
  await noteLink(page, 'Harbour').click()
  await expect(editor(page)).toContainText('opens at nine')
  await settle(page, calls)
  expect(openings()).toBe(2)
  await page.goBack()
  await expect(notePane(page)).toHaveCount(0)
  await page.goForward()
  await expect(editor(page)).toContainText('opens at nine')
  await sidebarButton(page, 'Today').click()
  await expect(page).toHaveURL('/dashboard')
  await page.goBack()
  await page.reload()
  await expect(editor(page)).toContainText('opens at nine')
})

test('`w` writes a note, which its first character creates', async ({ page, notes }) => {
  await openDashboard(page)
  await page.keyboard.press('w')
  await expect(field(page)).toBeFocused()
  await expect(page).toHaveURL(/\/dashboard\/notes\/[0-9a-f-]{36}$/)
  await openList(page, 'Today')
  expect(await notes.list()).toEqual([])
  await page.keyboard.press('w')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('Ferry')
  await expect(noteLink(page, 'Ferry')).toBeVisible()
  await expect(notePane(page).getByText('Saved', { exact: true })).toBeVisible()
  await expect.poll(async () => (await notes.list()).map(({ title }) => title)).toEqual(['Ferry'])
  await page.goBack()
  await expect(panelTitle(page)).toHaveText("Today's Tasks")
  await page.goForward()
  await expect(field(page)).toBeFocused()
  await page.keyboard.type(' boat')
  await expect(noteLink(page, 'Ferry boat')).toBeVisible()
})

test('A double click writes one note, whose buttons do not move', async ({ page, notes }) => {
  await page.goto('/dashboard/notes')
  await writeButton(page).dblclick()
  await field(page).waitFor()
  const { pathname } = new URL(page.url())
  await page.reload()
  await expect(editor(page)).toBeFocused()
  const buttons = notePane(page).getByRole('toolbar', { name: 'Note' }).getByRole('button')
  const places = () => buttons.evaluateAll((all) => all.map((button) => button.getBoundingClientRect().left))
  for (const name of ['History', 'Pin the note']) await expect(tool(page, name)).toBeDisabled()
  const before = await places()
  await page.keyboard.type('one')
  for (const name of ['History', 'Pin the note']) await expect(tool(page, name)).toBeEnabled()
  expect(await places()).toEqual(before)
  await tool(page, 'Reading view').click()
  await expect(tool(page, 'Make the line a task')).toBeDisabled()
  expect(await places()).toEqual(before)
  await expect(noteLink(page, 'one')).toBeVisible()
  await expect(page).toHaveURL(pathname)
  await expect.poll(() => notes.list()).toMatchObject([{ title: 'one' }])
  await page.goBack()
  await expect(page).toHaveURL('/dashboard/notes')
})

test('Text typed into a new note before the notes have loaded is in the note', async ({ page }) => {
  const ahead = page.getByLabel('Note', { exact: true })
  await test.step('Single keys act again', async () => {
    const { fail } = await holdFile(page, 'notes')
    await openDashboard(page)
    await page.keyboard.press('w')
    await expect(ahead).toBeFocused()
    await page.keyboard.type('5 eggs')
    await page.goBack()
    await expect(ahead).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Your note' })).toContainText('5 eggs')
    await page.keyboard.press('2')
    await expect(panelTitle(page)).toHaveText('Recent')
    await page.keyboard.press('w')
    fail()
    await expect(page.getByRole('main')).toContainText('could not be loaded')
    await expect(ahead).toHaveCount(0)
    await page.keyboard.press('1')
    await expect(panelTitle(page)).toHaveText("Today's Tasks")
    await page.unrouteAll()
  })
  const { arrive } = await holdFile(page, 'notes')
  await openDashboard(page)
  await page.keyboard.press('w')
  await expect(ahead).toBeFocused()
  await page.keyboard.type('2 nuts')
  arrive()
  await expect(field(page)).toBeFocused()
  await page.keyboard.type(' and bolts')
  await expect(noteLink(page, '2 nuts and bolts')).toBeVisible()
  await expect(notePane(page).getByText('Saved', { exact: true })).toBeVisible()
})

test('Keys pressed right after `w` or its command type into the new note', async ({ page }) => {
  const pressAll = (keys: Iterable<string>) => Promise.all([...keys].map((key) => page.keyboard.press(key)))
  await openDashboard(page)
  await page.keyboard.press('6')
  await expect(writeButton(page)).toBeVisible()
  await pressAll('w1 nut')
  await expect(noteLink(page, '1 nut')).toBeVisible()
  await pressAll('s')
  await expect(noteLink(page, '1 nuts')).toBeVisible()

  await page.getByRole('heading', { level: 1, name: 'Notes' }).focus()
  await page.keyboard.press('w')
  await expect(field(page)).toHaveText('The first line is the title')
  await expect(field(page)).toBeFocused()
  await page.getByRole('heading', { level: 1, name: 'Notes' }).focus()
  await pressAll('w2 bolts')
  await expect(noteLink(page, '2 bolts')).toBeVisible()
  await expect(noteLink(page, '1 nuts')).toBeVisible()

  await page.keyboard.press('ControlOrMeta+k')
  const command = page.getByRole('combobox', { name: 'Go to or do…' })
  await expect(command).toBeFocused()
  await command.fill('Write')
  await pressAll(['Enter', ...'3 pins'])
  await expect(noteLink(page, '3 pins')).toBeVisible()
})

test('A deleted note is in Recently deleted, and is brought back', async ({ page, user, notes }) => {
  const { _id: id } = await notes.add('Ferry\n8:40')
  await page.goto('/dashboard/notes')
  for (const bringBack of [
    () => undoBar(page).getByRole('button', { name: 'Undo', exact: true }).click(),
    () => page.keyboard.press('ControlOrMeta+z'),
    async () => {
      await page.keyboard.press('0')
      await page.getByRole('button', { name: 'Restore Ferry' }).click()
      await expect(page.getByRole('article')).toHaveCount(0)
      await page.goto('/dashboard/notes')
    },
    async () => {
      await page.keyboard.press('0')
      await page.getByRole('main').getByRole('link', { name: 'Ferry' }).click()
      await expect(notePane(page)).toContainText('8:40')
      await tool(page, 'Restore the note').click()
      await expect(editor(page)).toContainText('8:40')
      await page.goto('/dashboard/notes')
    },
  ]) {
    await noteLink(page, 'Ferry').click()
    await tool(page, 'Delete the note').click()
    await expect(undoBar(page)).toContainText('Deleted “Ferry”')
    await expect(page).toHaveURL('/dashboard/notes')
    await expect(noteLink(page, 'Ferry')).toHaveCount(0)
    await bringBack()
    await expect(noteLink(page, 'Ferry')).toBeVisible()
  }

  await test.step('Those in a row are counted as notes, and as items together with a task', async () => {
    await notes.add('Garden')
    await user.add({ title: 'Sow' })
    await page.reload()
    for (const title of ['Ferry', 'Garden']) {
      await noteLink(page, title).click()
      await tool(page, 'Delete the note').click()
      await expect(noteLink(page, title)).toHaveCount(0)
    }
    await expect(undoBar(page)).toContainText('Deleted 2 notes')
    await sidebarButton(page, 'Today').click()
    await page.getByRole('button', { name: 'Delete Sow' }).click()
    await expect(undoBar(page)).toContainText('Deleted 3 items')
    await undoBar(page).getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(undoBar(page)).toContainText('3 items are back')
  })
  await test.step('Text that is typed while a save is in progress is part of the deleted note', async () => {
    await page.goto(notePath(id))
    await enterNote(page)
    const release = await hold(page, 'POST /changes')
    const sent = requestOf(page, 'POST /changes')
    await page.keyboard.type(' or 9')
    await sent
    await page.keyboard.type(':40')
    await tool(page, 'Delete the note').click()
    release()
    await expect(page).toHaveURL('/dashboard/notes')
    await expect.poll(() => draftsIn(page)).toEqual([])
    await expect
      .poll(() => notes.get(id))
      .toMatchObject({ text: 'Ferry\n8:40 or 9:40', deletedAt: expect.any(String) })
  })
})

test('The palette, a link, a search and the list lead to the last caret', async ({ page, notes }) => {
  const { _id: ferry } = await notes.add('Ferry\n\nleaves at 8:40')
  const { _id: trip } = await notes.add(`Trip\n\n[Ferry](note:${ferry})`)
  const stored = (id: string, text: string) => expect.poll(async () => (await notes.get(id)).text).toBe(text)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const choose = async (title: string) => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type(title)
    await expect(page.getByRole('option', { name: title }).first()).toBeVisible()
    await page.keyboard.press('Enter')
  }
  await choose('Ferry')
  await page.keyboard.type('hello world ')
  await stored(ferry, 'hello world Ferry\n\nleaves at 8:40')
  await choose('Trip')
  await page.keyboard.type('A ')
  await stored(trip, `A Trip\n\n[Ferry](note:${ferry})`)
  await editor(page).getByRole('button', { name: 'hello world Ferry' }).click()
  await expect(editor(page)).toContainText('8:40')
  await page.keyboard.type('again ')
  await stored(ferry, 'hello world again Ferry\n\nleaves at 8:40')
  // A pause between two letters makes two changes of them.
  for (let presses = 0; presses < 20; presses++) await page.keyboard.press('ControlOrMeta+z')
  await stored(ferry, 'Ferry\n\nleaves at 8:40')
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.type('leaves')
  await page.locator('[data-found-note]').click()
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('it ')
  await stored(ferry, 'Ferry\n\nit leaves at 8:40')
  await page.keyboard.press('Escape')
  await expect(noteLink(page, 'Ferry')).toBeFocused()
  for (const [key, text] of [
    ['Enter', 'Ferry\n\nit always leaves at 8:40'],
    ['ArrowRight', 'Ferry\n\nit always always leaves at 8:40'],
  ] as const) {
    await page.keyboard.press(key)
    await page.keyboard.type('always ')
    await stored(ferry, text)
    await page.keyboard.press('Escape')
  }
  await page.reload()
  await expect(editor(page)).toContainText('8:40')
  await noteLink(page, 'Ferry').press('Enter')
  await page.keyboard.type('really ')
  await stored(ferry, 'Ferry\n\nit always always really leaves at 8:40')
})

test('Keys in the list show each note, delete it and bring it back', async ({ page, notes }) => {
  for (const title of ['First', 'Second', 'Third']) await notes.add(title)
  await page.goto('/dashboard/notes')
  await expect(noteLink(page, 'Third')).toBeVisible()
  for (const [key, title] of Object.entries({ ArrowDown: 'Third', j: 'Second', End: 'First', k: 'Second' })) {
    await page.keyboard.press(key)
    await expect(noteLink(page, title)).toBeFocused()
    await expect(field(page)).toHaveText(title)
  }
  await page.keyboard.press('Home')
  await expect(field(page)).toHaveText('Third')
  await page.keyboard.down('ArrowDown')
  await expect(field(page)).toHaveText('Second')
  await page.keyboard.down('ArrowDown')
  await expect(noteLink(page, 'First')).toBeFocused()
  await expect(field(page)).toHaveText('Second')
  await page.keyboard.up('ArrowDown')
  await expect(field(page)).toHaveText('First')
  await page.keyboard.press('k')
  await expect(field(page)).toHaveText('Second')
  await page.keyboard.press('Delete')
  await expect(undoBar(page)).toContainText('Deleted “Second”')
  await expect(noteLink(page, 'First')).toBeFocused()
  await expect(field(page)).toHaveText('First')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(field(page)).toHaveText('Second')
  await expect(noteLink(page, 'Second')).toHaveAttribute('aria-current', 'true')
  await tool(page, 'Delete the note').click()
  await expect(page).toHaveURL('/dashboard/notes')
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(field(page)).toHaveText('Second')
  await page.goBack()
  await expect(page).toHaveURL('/dashboard/notes')
})

test('A note that changes elsewhere after the press is shown as it is now', async ({ page, notes }) => {
  const { _id: id } = await notes.add('old')
  await openFollowing(page, '/dashboard/notes')
  const answer = page.waitForResponse((response) => response.url().endsWith(`/notes/${id}`))
  await noteLink(page, 'old').hover()
  await page.mouse.down()
  await (await answer).finished()
  await notes.write(id, 'new')
  await expect(noteLink(page, 'new')).toBeVisible()
  await page.mouse.up()
  await expect(editor(page)).toHaveText('new')
})

test('A note is pinned, which Undo covers, and Ctrl+Z in a text not', async ({ page, notes, openNote }) => {
  await openNote('old')
  await notes.add('new')
  await expect(noteLink(page, 'new')).toBeVisible()
  await tool(page, 'Pin the note').click()
  await expect(notesList(page).getByRole('listitem')).toHaveText([/^oldpinned/, /^new/])
  await expect(tool(page, 'Pin the note')).toHaveAttribute('aria-pressed', 'true')
  await expect(undoBar(page)).toContainText('Pinned “old”')
  await enterNote(page)
  // At once: with a pause between two letters they would be two changes.
  await page.keyboard.insertText(' boat')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(editor(page)).toHaveText('old')
  await expect(tool(page, 'Pin the note')).toHaveAttribute('aria-pressed', 'true')
  await undoBar(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(notesList(page).getByRole('listitem')).toHaveText([/^new/, /^old/])
  await expect(tool(page, 'Pin the note')).toHaveAttribute('aria-pressed', 'false')
})

test('A list of more notes than a page is loaded, sorted and filtered', async ({ page, notes }) => {
  for (let number = 100; number < 170; number++) await notes.add(`Note ${number}`)
  // Behind the first lines, which are all that the page has of a note that it has not opened.
  await notes.add(`Atlas\n\n${'of the sea '.repeat(40)} #Maps`)
  await notes.add('Charts\n\n#maps #sea')
  await page.goto('/dashboard/notes')
  const items = notesList(page).getByRole('listitem')
  // In one step, because the list may change meanwhile.
  const toEnd = () =>
    notesList(page).evaluate((list) => [...list.querySelectorAll('li')].at(-1)?.scrollIntoView())
  await expect(noteLink(page, 'Note 169')).toBeVisible()
  await toEnd()
  await expect(items).toHaveCount(72)
  await expect(items.last()).toHaveText(/^Note 100/)
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Sort and filter' }).click()
    await page.getByRole('button', { name, exact: true }).click()
  }
  await choose('Sort by title')
  await expect(items.first()).toHaveText(/^Atlas/)
  await page.reload()
  await expect(items.first()).toHaveText(/^Atlas/)
  await toEnd()
  await expect(items.last()).toHaveText(/^Note 169/)
  await choose('#maps')
  await expect(items).toHaveText([/^Atlas/, /^Charts/])
  await page.getByRole('button', { name: 'Show all notes' }).click()
  await expect(noteLink(page, 'Note 100')).toBeVisible()
  await choose('#sea')
  await expect(items).toHaveText([/^Charts/])
  await writeButton(page).click()
  await expect(noteLink(page, 'Note 100')).toBeVisible()
})

type Box = { y: number; height: number } | null

const isAbove = (one: Box, other: Box) => one !== null && other !== null && one.y + one.height <= other.y

test('On a phone the list and the note follow each other', async ({ page, context, notes }) => {
  await page.setViewportSize({ width: 380, height: 760 })
  await notes.add(`Ferry\n8:40${'\n'.repeat(50)}The last line`)
  await page.goto('/dashboard/notes')
  await noteLink(page, 'Ferry').click()
  await expect(editor(page)).toContainText('8:40')
  await enterNote(page)
  const [line, bar] = [
    editor(page).getByText('The last line'),
    page.getByRole('navigation', { name: 'Bottom bar' }),
  ]
  const boxes = () => Promise.all([line.boundingBox(), bar.boundingBox()])
  await expect.poll(async () => isAbove(...(await boxes()))).toBe(true)
  await expect(notesList(page)).toBeHidden()
  await expect(panelTitle(page)).toHaveText('Ferry')
  // The text stays where it is when the network goes.
  await editor(page).click()
  const place = await editor(page).boundingBox()
  const restore = await cutOff(context)
  await page.keyboard.type('!')
  await expect(notePane(page).getByRole('button', { name: 'Sync now' })).toBeVisible()
  expect(await editor(page).boundingBox()).toEqual(place)
  await restore()
  await page.getByRole('link', { name: 'All notes' }).click()
  await expect(noteLink(page, 'Ferry')).toBeVisible()
  await expect(notePane(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'New note', exact: true }).click()
  await expect(field(page)).toBeFocused()
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'New task', exact: true }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('A note that does not exist says so, and nothing typed is lost', async ({ page, notes }) => {
  await page.goto(notePath(crypto.randomUUID()))
  await expect(notePane(page)).toContainText('There is no such note.')
  await page.route('**/api/v1/notes?*', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 })
  await page.goto('/dashboard/notes')
  await expect(notesList(page)).toContainText('The notes could not be loaded.')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No notes yet')).toBeVisible()

  const typed = Promise.withResolvers<void>()
  await page.route('**/api/v1/notes/*', async (route) => {
    await typed.promise
    await route.fulfill({ status: 500, json: {} })
  })
  await notes.add('Broken')
  await noteLink(page, 'Broken').press('Enter')
  await page.keyboard.type('keep me')
  typed.resolve()
  await expect(notePane(page)).toContainText('What you typed for this note is kept: keep me')
  await tool(page, 'Write it as a new note').click()
  await expect(field(page)).toHaveText('keep me')
})

test('Write a Note on the landing page leads by the login to the note', async ({ page, user, notes }) => {
  await page.goto('/about')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/')
  await page.getByRole('link', { name: 'Write a Note' }).click()
  await expect(page).toHaveURL('/login')
  await logIn(page, user)
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('button', { name: 'Start the note' }).click()
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('From the landing page')
  await expect(noteLink(page, 'From the landing page')).toBeVisible()
  await openList(page, 'Today')
  await expect(page.getByRole('button', { name: 'Start the note' })).toHaveCount(0)
  await expect.poll(() => notes.list()).toHaveLength(1)
})

const phoneTest = test.extend(phone)

phoneTest('On a phone formats are above the keyboard, and a tap opens a link', async ({ page, notes }) => {
  const { _id: id } = await notes.add('Minutes\n- [ ] call Ann\n- [ ] call Bob')
  await page.goto(notePath(id))
  await expect(editor(page)).toContainText('call Bob')
  const line = editor(page).locator('.cm-line')
  await expect.poll(async () => (await line.first().boundingBox())?.y).toBeLessThanOrEqual(110)
  await line.last().tap()
  await page.evaluate(() => {
    Object.defineProperty(visualViewport, 'height', { value: 400 })
    visualViewport?.dispatchEvent(new Event('resize'))
  })
  const formats = page.getByRole('toolbar', { name: 'Format' })
  const bottom = () => formats.boundingBox().then((box) => Math.round((box?.y ?? 0) + (box?.height ?? 0)))
  await expect.poll(bottom).toBe(400)
  const text = () => notes.get(id).then((note) => note.text)
  await formats.getByRole('button', { name: 'Indent' }).tap()
  await expect.poll(text).toBe('Minutes\n- [ ] call Ann\n  - [ ] call Bob')
  await formats.getByRole('button', { name: 'Outdent' }).tap()
  await formats.getByRole('button', { name: 'Heading' }).tap()
  await expect.poll(text).toBe('Minutes\n- [ ] call Ann\n## call Bob')
  await formats.getByRole('button', { name: 'Undo typing' }).tap()
  await expect.poll(text).toBe('Minutes\n- [ ] call Ann\n- [ ] call Bob')
  await formats.getByRole('button', { name: 'Table' }).tap()
  await expect(editor(page)).toContainText('| --- | --- |')
  await formats.getByRole('button', { name: 'Undo typing' }).tap()
  await expect(line).toHaveCount(3)
  const link = () => formats.getByRole('button', { name: 'Link' }).tap()
  await page.keyboard.press('Enter')
  for (const typed of ['times', new URL('/about', page.url()).href]) {
    await link()
    await page.keyboard.type(typed)
  }
  await link()
  await page.keyboard.press('Enter')
  const opened = page.waitForEvent('popup')
  await editor(page).getByText('times').tap()
  await expect(await opened).toHaveURL('/about')
  await tool(page, 'More').tap()
  await tool(page, 'Pin the note').tap()
  await expect.poll(() => notes.get(id).then(({ pinned }) => pinned)).toBe(true)
  await expect(tool(page, 'Pin the note')).toBeHidden()
})

test('The menu duplicates, copies and saves a note', async ({ page, context, notes, openNote }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const text = '# Minutes: 3/4\n- [ ] call Ann'
  const { id } = await openNote(text)
  await tool(page, 'More').click()
  await tool(page, 'Copy as Markdown').click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text)
  await tool(page, 'More').click()
  const download = page.waitForEvent('download')
  await tool(page, 'Save as file').click()
  expect((await download).suggestedFilename()).toBe('Minutes 3 4.md')
  await tool(page, 'More').click()
  await page.keyboard.press('Escape')
  await expect(tool(page, 'Duplicate')).toBeHidden()
  await expect(tool(page, 'More')).toBeFocused()
  await tool(page, 'More').click()
  await tool(page, 'Duplicate').click()
  await expect(noteLink(page, 'Minutes: 3/4')).toHaveCount(2)
  const others = () => notes.list().then((all) => all.filter((note) => note._id !== id))
  await expect.poll(() => others().then(({ length }) => length)).toBe(1)
  const [copy] = await others()
  expect((await notes.get(copy?._id ?? '')).text).toBe(text)
})
