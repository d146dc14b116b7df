import { answerTo, force, hold, intercept, recordCalls, settle } from './calls.ts'
import {
  addDialog,
  card,
  cards,
  deleteButton,
  editButton,
  editDialog,
  fillTask,
  openDashboard,
  panelTitle,
  priorityButton,
  quickLine,
  ring,
  sidebarButton,
  undoBar,
  unsentLine,
} from './dashboard-page.ts'
import { day } from './days.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import { field, noteLink, notePane, notePath, notesList, notesOf, tool, writeButton } from './notes-page.ts'

test('A task that is added or completed offline is shown at once, says so, and is sent when the network is back', async ({
  page,
  context,
  user,
}) => {
  await user.add({ title: 'Feed the cat' })
  await openDashboard(page)
  await expect(card(page, 'Feed the cat')).toBeVisible()
  // A font that loads later changes the width of the title.
  await page.evaluate(async () => void (await document.fonts.ready))
  const place = await panelTitle(page).boundingBox()
  await context.setOffline(true)
  await quickLine(page).fill('Buy milk')
  await page.keyboard.press('Enter')
  await ring(page, 'Feed the cat').click()
  await expect(card(page, 'Feed the cat')).toHaveCount(0)
  await expect(card(page, 'Buy milk')).toBeVisible()
  await expect(page.getByText('Offline: changes are kept on this device')).toBeVisible()
  expect(await panelTitle(page).boundingBox()).toEqual(place)
  await expect(unsentLine(page)).toContainText('2 changes waiting to sync')
  await expect(card(page, 'Buy milk').getByRole('img', { name: 'Not sent yet' })).toBeVisible()
  const sent = answerTo(page, 'POST /changes')
  await context.setOffline(false)
  await sent
  await expect(page.getByText('Offline: changes')).toHaveCount(0)
  await expect(page.getByText('waiting to sync')).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).join())).not.toContain('outbox ')
  await openDashboard(page)
  await expect(cards(page)).toHaveCount(1)
  await expect(card(page, 'Buy milk')).toBeVisible()
})

test('A task that was completed yesterday without a network is under yesterday in Done', async ({
  page,
  context,
  user,
}) => {
  await user.add({ title: 'Feed the cat', dueDate: day(-3) })
  await page.clock.setFixedTime(Temporal.Now.instant().subtract({ hours: 24 }).epochMilliseconds)
  await openDashboard(page)
  await context.setOffline(true)
  await ring(page, 'Feed the cat').click()
  await expect(page.getByText('Offline: changes are kept on this device')).toBeVisible()
  await page.clock.setFixedTime(Temporal.Now.instant().epochMilliseconds)
  await context.setOffline(false)
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).join())).not.toContain('outbox ')
  await page.goto('/dashboard?list=done')
  await expect(page.getByRole('region', { name: 'Yesterday' })).toContainText('Feed the cat')
})

test('The dialogs keep changes for later that fail without a network, and changes that clash with another device are decided then', async ({
  page,
  context,
  user,
  alerts,
}) => {
  const task = await user.add({ title: 'Paint', body: 'White.' })
  const bread = await user.add({ title: 'Bake bread', body: 'White.' })
  await user.add({ title: 'Feed the cat' })
  await openDashboard(page)
  await expect(card(page, 'Paint')).toBeVisible()
  const keep = page.getByRole('button', { name: 'Keep and send later' })

  // The server has it all the same.
  await force(page, 'POST /list/addTask', 'lost')
  await sidebarButton(page, 'Add Task').click()
  const draft = { title: 'Buy milk', body: 'Two', dueDate: day(0), priority: 'high' } as const
  await fillTask(addDialog(page), draft)
  await addDialog(page).getByRole('button', { name: 'Add Task' }).click()
  await keep.click()
  expect(alerts).toEqual([expect.stringMatching(/^Failed to add task\. Please try again\. ./)])
  await expect(addDialog(page)).toBeHidden()
  await expect(card(page, 'Buy milk')).toContainText('Two')

  await context.setOffline(true)
  for (const [title, body] of [
    ['Bake bread', 'Brown.'],
    ['Paint', 'Red.'],
  ] as const) {
    await editButton(page, title).click()
    await fillTask(editDialog(page), { body })
    await editDialog(page).getByRole('button', { name: 'Save' }).click()
    await keep.click()
    await expect(editDialog(page)).toBeHidden()
    await expect(card(page, title)).toContainText(body)
  }

  await deleteButton(page, 'Feed the cat').click()
  await keep.click()
  await expect(card(page, 'Feed the cat')).toHaveCount(0)

  await user.edit(task, { body: 'Blue.' })
  await user.remove(bread)
  await context.setOffline(false)
  const decision = page.getByRole('region', { name: 'Needs your decision' })
  await expect(decision).toContainText('Blue.')
  await decision.getByRole('button', { name: 'Keep both: Paint' }).click()
  await expect(decision).toContainText(
    '“Bake bread” was deleted elsewhere, so your change to it was not saved.',
  )
  await decision.getByRole('button', { name: 'Restore: Bake bread' }).click()
  await expect(decision).toHaveCount(0)
  await expect(panelTitle(page)).toBeFocused()
  await expect
    .poll(async () => (await user.list('getLatestTasks')).map(({ title, body }) => [title, body]))
    .toEqual([
      [draft.title, draft.body],
      ['Bake bread', 'Brown.'],
      ['Paint', 'Red.\n\nBlue.'],
    ])
})

test('What is kept to be sent later stays until the server has it, also if the network comes and goes', async ({
  page,
  user,
}) => {
  await user.add({ title: 'Paint', body: 'White.' })
  await user.add({ title: 'Feed the cat' })
  await openDashboard(page)
  await expect(cards(page)).toHaveCount(2)
  // Neither the browser nor a probe says that there is no network.
  for (const call of [
    'POST /list/addTask',
    'PUT /list/updateTask/:id',
    'DELETE /list/deleteTask/:id',
    'POST /changes',
  ] as const)
    await force(page, call, 'dropped')
  const keep = page.getByRole('button', { name: 'Keep and send later' })

  await sidebarButton(page, 'Add Task').click()
  await fillTask(addDialog(page), { title: 'Buy milk', dueDate: day(0), priority: 'high' })
  await addDialog(page).getByRole('button', { name: 'Add Task' }).click()
  await keep.click()
  await expect(addDialog(page)).toBeHidden()
  await editButton(page, 'Paint').click()
  await fillTask(editDialog(page), { body: 'Red.' })
  await editDialog(page).getByRole('button', { name: 'Save' }).click()
  await keep.click()
  await expect(editDialog(page)).toBeHidden()
  await deleteButton(page, 'Feed the cat').click()
  await keep.click()
  await expect(unsentLine(page)).toContainText('3 changes waiting to sync')
  await expect(card(page, 'Paint')).toContainText('Red.')
  await expect(cards(page)).toHaveCount(2)

  await page.unrouteAll()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect
    .poll(async () => (await user.list('getLatestTasks')).map(({ title, body }) => [title, body]))
    .toEqual([
      ['Buy milk', ''],
      ['Paint', 'Red.'],
    ])
})

test('A priority that is chosen offline shows its tasks, also one that is added then', async ({
  page,
  context,
  user,
}) => {
  await user.add({ title: 'Feed the cat', priority: 'low' })
  const log = answerTo(page, 'GET /changes')
  await openDashboard(page)
  await (await log).finished()
  await context.setOffline(true)
  await sidebarButton(page, 'Priority').click()
  await priorityButton(page, 'Low').click()
  await expect(card(page, 'Feed the cat')).toBeVisible()
  await quickLine(page).fill('Buy milk')
  await page.keyboard.press('Enter')
  await expect(card(page, 'Buy milk')).toBeVisible()
})

test('Several tasks are completed offline at once, one press takes that back, and they are sent as one group', async ({
  page,
  context,
  user,
}) => {
  for (const title of ['one', 'two', 'three']) await user.add({ title })
  await openDashboard(page)
  await expect(cards(page)).toHaveCount(3)
  await page.keyboard.press('j')
  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.getByRole('region', { name: 'Selection' })).toBeVisible()
  await context.setOffline(true)
  await page.keyboard.press('x')
  await expect(cards(page)).toHaveCount(0)
  await expect(undoBar(page)).toContainText('Completed 3 tasks')
  await expect(page.getByText('Offline: changes are kept on this device')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(cards(page)).toHaveCount(3)
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(cards(page)).toHaveCount(0)
  const calls = recordCalls(page)
  await context.setOffline(false)
  await settle(page, calls)
  const changes = calls.flatMap(
    ({ body }) => (body as { changes?: { mutation: string; group: string }[] } | null)?.changes ?? [],
  )
  // A call whose answer is lost when the network returns is repeated.
  expect(new Set(changes.map(({ mutation }) => mutation)).size).toBe(3)
  expect(new Set(changes.map(({ group }) => group)).size).toBe(1)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(cards(page)).toHaveCount(3)
  await expect.poll(async () => (await user.list('getLatestTasks')).length).toBe(3)
})

test('A note is pinned, deleted and brought back offline; later the server gets the changes, and the list and an opened note are loaded again', async ({
  page,
  context,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry')
  await notes.add('Bus')
  await page.goto(notePath(id))
  await expect(tool(page, 'Pin the note')).toBeVisible()
  await expect(noteLink(page, 'Bus')).toBeVisible()
  await context.setOffline(true)
  await tool(page, 'Pin the note').click()
  await expect(notesList(page).getByRole('listitem')).toHaveText([/^Ferrypinned/, /^Bus/])
  await tool(page, 'Delete the note').click()
  await expect(noteLink(page, 'Ferry')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(noteLink(page, 'Ferry')).toBeVisible()
  await noteLink(page, 'Bus').click()
  await expect(notePane(page)).toContainText(
    'Only the title and the first lines of this note are on this device.',
  )
  await context.setOffline(false)
  await expect(field(page)).toBeVisible()
  await settle(page, [])
  await expect(page.getByText('The notes could not be loaded.')).toHaveCount(0)
  expect(await notes.get(id)).toMatchObject({ pinned: true, deletedAt: null })
})

test('Changes that are not sent can be saved as a file, and are sent when it is taken in again', async ({
  page,
  server,
  user,
}) => {
  await page.goto('/dashboard/notes')
  await force(page, 'POST /changes', { status: 503 })
  await writeButton(page).click()
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('Ferry at 8:40')
  await expect(unsentLine(page)).toContainText('1 change waiting to sync')
  await page.goto('/dashboard')
  await quickLine(page).fill('Buy milk')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  const downloaded = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as a file' }).click()
  const file = await (await downloaded).path()
  // As in a browser whose storage was cleared: the dashboard keeps its texts when it closes.
  await page.goto('/nowhere')
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key !== 'token') localStorage.removeItem(key)
  })
  await openDashboard(page)
  await expect(page.getByText('No tasks for today', { exact: true }).first()).toBeVisible()
  await expect(cards(page)).toHaveCount(0)
  await page.unrouteAll()
  const release = await hold(page, 'POST /changes')
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  for (const outcome of ['2 changes were loaded.', '0 changes were loaded. 2 are here already.']) {
    const chosen = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Load a file' }).click()
    await (await chosen).setFiles(file)
    await expect(page.getByText(outcome)).toBeVisible()
  }
  release()
  await expect
    .poll(async () => (await user.list('getLatestTasks')).map(({ title }) => title))
    .toEqual(['Buy milk'])
  await expect
    .poll(async () => (await notesOf(server, user).list()).map(({ title }) => title))
    .toEqual(['Ferry at 8:40'])
})

test('A change of a task that the server no longer has, for example after a restore, names the task as far as it can and offers only what can work', async ({
  page,
  context,
  server,
  user,
}) => {
  const paint = await user.add({ title: 'Paint' })
  const bread = await user.add({ title: 'Bake bread' })
  await openDashboard(page)
  await context.setOffline(true)
  await ring(page, 'Paint').click()
  await editButton(page, 'Bake bread').click()
  await fillTask(editDialog(page), { body: 'Brown.' })
  await editDialog(page).getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Keep and send later' }).click()
  await expect(editDialog(page)).toBeHidden()
  for (const task of [paint, bread]) await user.remove(task)
  const purged = await page.request.post(`${server.address}/api/v1/items/purge`, {
    headers: { authorization: `Bearer ${user.token}` },
    data: { items: [paint._id, bread._id] },
  })
  expect(purged.ok()).toBe(true)
  await context.setOffline(false)
  const decisions = page.getByRole('region', { name: 'Needs your decision' })
  for (const title of ['Paint', 'Bake bread'])
    await expect(decisions).toContainText(
      `A change of “${title}” was not saved. The server no longer has it.`,
    )
  await page.reload()
  await expect(decisions).toContainText('A change of “Paint” was not saved.')
  await expect(decisions.getByRole('button', { name: /Try again/ })).toHaveCount(0)
  // An earlier build has stored no title.
  await page.evaluate(() => {
    for (const [key, value] of Object.entries(localStorage)) {
      const { title, ...entry } = key.startsWith('outbox ') ? JSON.parse(value) : {}
      if (title === 'Paint') localStorage.setItem(key, JSON.stringify(entry))
    }
  })
  await page.reload()
  await expect(decisions).toContainText('A change was not saved. The server no longer has it.')
  await decisions.getByRole('button', { name: 'Discard: a change' }).click()
  await decisions.getByRole('button', { name: 'Edit: Bake bread' }).click()
  await expect(addDialog(page).getByLabel('Title')).toHaveValue('Bake bread')
  await expect(addDialog(page).getByLabel('Body')).toHaveValue('Brown.')
})

test('Values of a file and of the storage that cannot be shown are left out and said, and the others are taken in', async ({
  page,
  user,
}) => {
  await openDashboard(page)
  const account = user.token.slice(0, 21)
  const ids = Array.from({ length: 6 }, () => crypto.randomUUID())
  const entryOf = (index: number, set: object) => ({
    ...{ mutation: ids[index], item: ids[index], order: index, at: Date.now() },
    set: { title: 'Buy milk', dueDate: '2026-11-25', priority: 'low', ...set },
  })
  const damaged = [entryOf(1, { title: 5 }), entryOf(2, { dueDate: 'zzz' }), entryOf(3, { priority: {} })]
  const file = {
    account,
    changes: [entryOf(0, {}), ...damaged],
    notes: [{ id: ids[4], text: 7, stored: { text: '', version: 0 } }],
    drafts: [{ key: `draft ${account} add 1`, values: { title: [] }, at: 0 }],
  }
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Load a file' }).click()
  await (await chosen).setFiles({
    ...{ name: 'unsent-changes.json', mimeType: 'application/json' },
    buffer: Buffer.from(JSON.stringify(file)),
  })
  await expect(page.getByText('1 change was loaded. 5 cannot be read and were left out.')).toBeVisible()
  await expect.poll(() => user.list('getLatestTasks')).toHaveLength(1)

  // As an earlier build took them in.
  await page.evaluate(
    ([account, damaged, file]) => {
      for (const entry of damaged)
        localStorage.setItem(`outbox ${account} ${entry.mutation}`, JSON.stringify(entry))
      localStorage.setItem(`note-draft ${account} tab ${file.notes[0]?.id}`, JSON.stringify(file.notes[0]))
      localStorage.setItem(file.drafts[0]?.key ?? '', JSON.stringify(file.drafts[0]))
    },
    [account, damaged, file] as const,
  )
  await openDashboard(page)
  await page.goto('/dashboard?list=latest')
  await expect(card(page, 'Buy milk')).toHaveCount(1)
  const decisions = page.getByRole('region', { name: 'Needs your decision' })
  await expect(decisions).toContainText(
    '5 changes that this browser keeps are damaged, so they are not shown and not sent.',
  )
  await decisions.getByRole('button', { name: 'Discard: the damaged changes' }).click()
  await expect(decisions).toHaveCount(0)
  await page.reload()
  await expect(card(page, 'Buy milk')).toBeVisible()
  await expect(decisions).toHaveCount(0)
})

test('With a full storage a change is refused where it was pressed, and what was typed stays', async ({
  page,
  context,
  user,
}) => {
  await openDashboard(page)
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError')
    }
  })
  await context.setOffline(true)
  await quickLine(page).fill('Buy milk')
  await page.keyboard.press('Enter')
  const refusal = '“Buy milk”: This task was not added. This browser has no space to keep it.'
  await expect(undoBar(page)).toContainText(refusal)
  await expect(quickLine(page)).toHaveValue('Buy milk')
  await expect(cards(page)).toHaveCount(0)

  await sidebarButton(page, 'Add Task').click()
  await fillTask(addDialog(page), { title: 'Buy tea', dueDate: day(0), priority: 'high' })
  await addDialog(page).getByRole('button', { name: 'Add Task' }).click()
  const keep = addDialog(page).getByRole('button', { name: 'Keep and send later' })
  await keep.click()
  await expect(addDialog(page).getByRole('alert')).toContainText('This browser has no space to keep it.')
  await addDialog(page).getByRole('button', { name: 'Restore what I typed' }).click()
  await expect(addDialog(page).getByLabel('Title')).toHaveValue('Buy tea')
  await context.setOffline(false)
  expect(await user.list('getLatestTasks')).toEqual([])
})

test('A page of an earlier build whose change was kept offline says that it must be reloaded', async ({
  page,
  context,
  user,
}) => {
  await user.add({ title: 'Feed the cat' })
  await openDashboard(page)
  await context.setOffline(true)
  await ring(page, 'Feed the cat').click()
  await expect(page.getByText('Offline: changes are kept on this device')).toBeVisible()
  await intercept(page, 'POST /changes', async (route) => {
    const headers = { ...route.request().headers(), 'page-version': 'earlier' }
    await route.continue({ headers })
  })
  await context.setOffline(false)
  await expect(page.getByText('Daymark has been updated: changes are kept on this device.')).toBeVisible()
  await page.unrouteAll()
  await page.reload()
  await expect.poll(async () => (await user.list('getDoneTasks')).length).toBe(1)
})

test('A session that has ended is reported to its user only, whose next login sends the changes', async ({
  page,
  server,
  user,
  stranger,
}) => {
  await user.add({ title: 'Feed the cat' })
  await openDashboard(page)
  await expect(card(page, 'Feed the cat')).toBeVisible()
  await force(page, 'POST /changes', 'dropped')
  await ring(page, 'Feed the cat').click()
  const headers = { Authorization: `Bearer ${user.token}` }
  await fetch(`${server.address}/api/v1/user/logout`, { method: 'POST', headers })
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Your session has ended. Log in again.')).toBeVisible()
  await page.unrouteAll()
  await logIn(stranger)
  await expect(page.getByRole('heading', { level: 1, name: "Today's Tasks" })).toBeVisible()
  await expect(page.getByText('You are logged out')).toHaveCount(0)
  // Logging out clears the storage of the browser.
  await page.getByRole('button', { name: 'Logout' }).click()
  const question = page.getByRole('dialog', { name: 'Log out and discard?' })
  await expect(question).toContainText('One change of another account was not sent.')
  await question.getByRole('button', { name: 'Stay' }).click()
  await page.evaluate(() => localStorage.removeItem('token'))
  await page.goto('/login')
  const sent = answerTo(page, 'POST /changes')
  await logIn(user)
  await sent
  await expect(page.getByText('You are logged out')).toHaveCount(0)

  async function logIn({ email, password }: { email: string; password: string }) {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/dashboard')
  }
})
