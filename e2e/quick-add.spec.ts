import type { Page } from '@playwright/test'
import { force, recordCalls, serverError, settle } from './calls.ts'
import {
  addDialog,
  badge,
  card,
  chip,
  dateOf,
  enterLine,
  openDashboard,
  openList,
  panelTitle,
  pasteLines,
  priorityButton,
  quickLine,
  sidebarButton,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { day, expect, expectToasts } from './fixtures.ts'
import { editor, notePath, notesTest as test } from './notes-page.ts'

const added = (calls: { call: string; body: unknown }[]) =>
  calls
    .filter(({ call }) => call === 'POST /changes')
    .flatMap(({ body }) => (body as { changes: { set: object }[] }).changes.map(({ set }) => set))

/** Focuses the line and waits until days are found. */
async function focusLine(page: Page) {
  await quickLine(page).focus()
  const hasLoaded = () =>
    performance.getEntriesByType('resource').some(({ name }) => /\/rest-.*\.js$/.test(name))
  await page.waitForFunction(hasLoaded)
}

test('Enter in the quick line adds a task in place and keeps the focus', async ({ page, user, alerts }) => {
  await user.add({ title: 'Feed the cat', priority: 'low' })
  await openDashboard(page, 'Feed the cat')
  const calls = recordCalls(page)
  await page.keyboard.press('q')
  await expect(quickLine(page)).toBeFocused()
  await expect(quickLine(page)).toHaveValue('')
  await page.keyboard.type('  Water the plants ')
  await page.keyboard.press('Enter')
  await expect(card(page, 'Water the plants')).toBeVisible()
  await expect(quickLine(page)).toBeFocused()
  await expect(quickLine(page)).toHaveValue('')
  await expect(undoBar(page)).toContainText('Added “Water the plants”')
  expect(await titlesOf(page)).toEqual(['Water the plants', 'Feed the cat'])
  await settle(page, calls)
  expect(calls.map(({ call }) => call)).toEqual(['POST /changes'])
  expect(added(calls)).toEqual([{ title: 'Water the plants', body: '', dueDate: day(0), priority: 'medium' }])
  await expectToasts(page, [])
  expect(alerts).toEqual([])

  await test.step('Enter adds one task when it is held down, and nothing when it ends a composition', async () => {
    const repeated = recordCalls(page)
    await quickLine(page).fill('once')
    for (let repeats = 0; repeats < 20; repeats++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await expect(card(page, 'once')).toBeVisible()
    await settle(page, repeated)
    expect(added(repeated)).toHaveLength(1)

    const composing = recordCalls(page)
    await expect(quickLine(page)).toBeFocused()
    const client = await page.context().newCDPSession(page)
    await client.send('Input.imeSetComposition', { text: '買い物', selectionStart: 3, selectionEnd: 3 })
    await page.keyboard.press('Enter')
    await client.send('Input.insertText', { text: '買い物' })
    await expect(quickLine(page)).toHaveValue('買い物')
    await settle(page, composing)
    expect(composing).toEqual([])
    await page.keyboard.press('Enter')
    await expect(card(page, '買い物')).toBeVisible()
  })
})

test('A quick task appears in the list that is open, and Done has no quick line', async ({ page }) => {
  await openDashboard(page)
  await test.step('Escape leaves the quick line and keeps its text', async () => {
    await quickLine(page).fill('Water the plants')
    await page.keyboard.press('Escape')
    await page.keyboard.press('2')
    await expect(panelTitle(page)).toHaveText('Recent')
    await expect(quickLine(page)).toHaveValue('Water the plants')
  })
  for (const [view, key, heading, title, dueDate, priority] of [
    ['Latest', '2', 'Recent', 'Water the roses', day(0), 'medium'],
    ['High', '3', 'Mark the urgent', 'Water the ferns', day(0), 'high'],
    ['Low', '3', 'Mark the urgent', 'Water the herbs', day(0), 'low'],
    ['Upcoming', '4', 'Upcoming', 'Water the trees', day(1), 'medium'],
  ] as const)
    await test.step(`A quick task in ${view}`, async () => {
      await page.keyboard.press(key)
      await expect(panelTitle(page)).toHaveText(heading)
      if (view === 'Low') await priorityButton(page, view).click()
      await enterLine(page, title)
      const shown = card(page, title)
      await expect(badge(shown)).toHaveAttribute('data-priority', priority)
      await expect(dateOf(shown, 'Due')).toHaveAttribute('datetime', dueDate)
      await page.keyboard.press('Escape')
    })
  await page.keyboard.press('5')
  await expect(panelTitle(page)).toHaveText('Done')
  await expect(quickLine(page)).toHaveCount(0)
})

test('A chip is text again after a press or Backspace, and leaves space for the line', async ({ page }) => {
  await openDashboard(page)
  await focusLine(page)
  await test.step('A press on a chip turns it back into text, and so does Backspace directly after its words', async () => {
    await quickLine(page).fill('Read Tomorrow p1')
    await chip(page, 'Due tomorrow').click()
    await expect(chip(page, 'Due tomorrow')).toHaveCount(0)
    await expect(quickLine(page)).toBeFocused()
    await page.keyboard.press('End')
    await page.keyboard.press('Backspace')
    await expect(chip(page, 'Priority: high')).toHaveCount(0)
    await expect(quickLine(page)).toHaveValue('Read Tomorrow p1')
    await page.keyboard.press('Backspace')
    await expect(quickLine(page)).toHaveValue('Read Tomorrow p')
    await page.keyboard.press('Enter')
    await expect(card(page, 'Read Tomorrow p')).toBeVisible()
    await quickLine(page).fill('Swim tomorrow')
    await expect(chip(page, 'Due tomorrow')).toBeVisible()
  })
  await test.step('Beside three chips the typed text stays in sight, and the bar names the time of the task', async () => {
    await quickLine(page).fill('Call Ann tomorrow 5pm !high remind me 1 hour before')
    await expect(chip(page, /Reminder/)).toBeVisible()
    await expect(chip(page, 'Priority: high')).toBeVisible()
    const isInSight = () => quickLine(page).evaluate((line) => line.scrollWidth <= line.clientWidth)
    expect(await isInSight()).toBe(true)
    const viewport = page.viewportSize()
    await page.setViewportSize({ width: 380, height: 800 })
    const [line, whole] = await Promise.all(
      [quickLine(page), page.locator('.quick-line')].map((each) => each.boundingBox()),
    )
    expect(Number(line?.width)).toBeGreaterThan(Number(whole?.width) * 0.75)
    if (viewport) await page.setViewportSize(viewport)
    await page.keyboard.press('Enter')
    await expect(undoBar(page)).toContainText(/Added “Call Ann” for .*(?:17:00|5:00)/)
  })
})

test('A quick task that was not added is below the line, which says why', async ({ page, alerts }) => {
  await openDashboard(page)
  await focusLine(page)
  for (const [answer, title, reason] of [
    [{ status: 201, json: {} }, 'Buy milk', 'The server did not confirm it.'],
    [serverError, 'Sell milk', 'The disk is on fire.'],
  ] as const) {
    await expect(chip(page, 'Due tomorrow')).toHaveCount(0)
    await force(page, 'POST /changes', answer)
    await page.keyboard.type(`${title} tomorrow`)
    await expect(chip(page, 'Due tomorrow')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByText(`“${title}” was not added. ${reason}`)).toBeVisible()
    await expect(quickLine(page)).toHaveValue('')
    await expect(quickLine(page)).toBeFocused()
    await page.unrouteAll()
    const calls = recordCalls(page)
    await page.getByRole('button', { name: `Add again: ${title}` }).click()
    await expect(undoBar(page)).toContainText(`Added “${title}”`)
    await expect(page.getByText('was not added')).toHaveCount(0)
    await settle(page, calls)
    expect(added(calls)).toHaveLength(1)
    expect(alerts).toEqual([])
    await quickLine(page).focus()
  }
  await test.step('It is edited in exchange for the text of the line, in another list too', async () => {
    await force(page, 'POST /changes', serverError)
    await enterLine(page, 'one')
    await openList(page, 'Latest')
    await quickLine(page).fill('Call Ann')
    await page.getByRole('button', { name: 'Edit: one' }).click()
    await expect(quickLine(page)).toBeFocused()
    await expect(quickLine(page)).toHaveValue('one')
    await expect(page.getByText('Unfinished: “Call Ann”')).toBeVisible()
  })
})

test('Without the part that reads days a line is added as it is typed', async ({ page }) => {
  await page.route(/assets\/rest-/, (route) => route.abort('connectionreset'))
  await openDashboard(page)
  await page.keyboard.press('q')
  await page.keyboard.type('Buy milk tomorrow p1')
  await expect(chip(page, 'Priority: high')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(card(page, 'Buy milk tomorrow')).toContainText('HIGH')
})

const germanTest = test.extend({ locale: 'de-DE' })

germanTest('German words mean the same in a line, a form and a note', async ({ page, user, notes }) => {
  await openDashboard(page)
  await focusLine(page)
  // Today and tomorrow are called so, and not by their weekday.
  const weekday = Temporal.PlainDate.from(day(3)).toLocaleString('de', { weekday: 'long' })
  await page.keyboard.type(`Müll jeden ${weekday}`)
  await expect(quickLine(page)).toHaveValue(`Müll jeden ${weekday}`)
  await expect(chip(page, new RegExp(`^Due ${weekday.slice(0, 2)}.*, remove$`))).toBeVisible()
  await quickLine(page).fill('Anruf nächste Woche Freitag')
  await expect(chip(page, /^Due Fr.*, remove$/)).toBeVisible()
  await quickLine(page).fill('Anruf morgen um 17:30')
  await expect(chip(page, 'Due tomorrow, 17:30')).toBeVisible()
  await quickLine(page).fill('Montag einkaufen')
  await page.getByRole('button', { name: /, use$/ }).click()
  await expect(chip(page, /^Due .*, remove$/)).toBeVisible()
  await quickLine(page).fill('')
  const titled = { title: 'Anna anrufen', dueDate: day(1), priority: 'high' }

  await sidebarButton(page, 'Add Task').click()
  const dialog = addDialog(page)
  const title = dialog.getByLabel('Title', { exact: true })
  await title.fill('Anna anrufen morgen um 17:30 !high')
  const offer = dialog.getByRole('button', { name: /^Use .*, high$/ })
  await expect(offer).toBeVisible()
  await expect(dialog.getByLabel('Due Date', { exact: true })).toHaveValue('')
  await offer.click()
  await expect(offer).toHaveCount(0)
  await expect(title).toHaveValue(titled.title)
  await expect(dialog.getByLabel('Due Date', { exact: true })).toHaveValue(titled.dueDate)
  await expect(dialog.getByLabel('Priority', { exact: true })).toHaveValue(titled.priority)
  await expect(dialog.getByLabel('Time', { exact: true })).toHaveValue('17:30')

  const note = 'Plan\n- [ ] Anna anrufen morgen um 17:30 !high\n- Rechnung'
  const { _id: id } = await notes.add(note)
  await page.goto(notePath(id))
  for (const line of ['Anna anrufen', 'Rechnung']) {
    await editor(page).getByText(line).click()
    await page.keyboard.press('ControlOrMeta+Shift+Enter')
    await expect(editor(page).getByRole('button', { name: line })).toBeVisible()
  }
  await expect
    .poll(() => user.list('getLatestTasks'))
    .toMatchObject([{ title: 'Rechnung', dueDate: day(0), priority: 'medium' }, titled])
  await expect(undoBar(page)).toContainText('Added “Rechnung” for today')
  await undoBar(page).getByRole('button', { name: 'Show' }).click()
  await expect(card(page, 'Rechnung')).toBeFocused()
})

test('Several pasted lines become tasks or one task, which one press undoes', async ({ page, user }) => {
  await openDashboard(page)
  await focusLine(page)
  await page.keyboard.type('half a thought')
  await pasteLines(page, '- [ ] Sow\n- [ ] Mow tomorrow !high\n')
  await page.getByRole('button', { name: 'Add 2 tasks' }).click()
  await expect(undoBar(page)).toContainText('Added 2 tasks')
  await expect(quickLine(page)).toHaveValue('half a thought')
  const latest = () => user.list('getLatestTasks')
  await expect.poll(latest).toMatchObject([
    { title: 'Sow', dueDate: day(0), priority: 'medium' },
    { title: 'Mow', dueDate: day(1), priority: 'high' },
  ])
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(undoBar(page)).toContainText('2 tasks were removed')
  await expect.poll(latest).toEqual([])
  await pasteLines(page, 'Garden\n- Sow')
  await page.getByRole('button', { name: 'One task with a body' }).click()
  await expect(card(page, 'Garden')).toContainText('- Sow')
  await pasteLines(page, '- [x] Rake\n3. Advent')
  await page.getByRole('button', { name: 'Add 2 tasks' }).click()
  await expect.poll(async () => (await latest()).map(({ title }) => title)).toEqual(['3. Advent', 'Garden'])
  expect(await user.titles('getDoneTasks')).toEqual(['Rake'])

  await page.getByRole('button', { name: 'What you can type here' }).click()
  await page.getByRole('button', { name: 'Pay the rent 1 Dec' }).click()
  await expect(quickLine(page)).toHaveValue('Pay the rent 1 Dec')
  await expect(page.getByText('Unfinished: “half a thought”')).toBeVisible()
})
