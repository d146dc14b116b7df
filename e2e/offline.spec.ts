import { answerTo, force, hold, intercept } from './calls.ts'
import {
  addByDialog,
  addDialog,
  card,
  cards,
  deleteButton,
  editByDialog,
  editDialog,
  enterLine,
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
import { day, expect } from './fixtures.ts'
import { field, notesTest as test, writeButton } from './notes-page.ts'

test('Offline changes are shown at once, say so, and are sent later', async ({ page, context, user }) => {
  await user.add({ title: 'Feed the cat' })
  await openDashboard(page, 'Feed the cat')
  // A font that loads later changes the width of the title.
  await page.evaluate(async () => void (await document.fonts.ready))
  const place = await panelTitle(page).boundingBox()
  await context.setOffline(true)
  await enterLine(page, 'Buy milk')
  await ring(page, 'Feed the cat').click()
  await expect(card(page, 'Feed the cat')).toHaveCount(0)
  await expect(card(page, 'Buy milk')).toBeVisible()
  await expect(page.getByText('Offline: changes are kept on this device')).toBeVisible()
  expect(await panelTitle(page).boundingBox()).toEqual(place)
  await expect(unsentLine(page)).toContainText('2 changes waiting to sync')
  await expect(card(page, 'Buy milk').getByRole('img', { name: 'Not sent yet' })).toBeVisible()
  await sidebarButton(page, 'Priority').click()
  await priorityButton(page, 'Medium').click()
  await expect(card(page, 'Buy milk')).toBeVisible()
  const sent = answerTo(page, 'POST /changes')
  await context.setOffline(false)
  await sent
  await expect(page.getByText('Offline: changes')).toHaveCount(0)
  await expect(page.getByText('waiting to sync')).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).join())).not.toContain('outbox ')
  await openDashboard(page, 1)
  await expect(card(page, 'Buy milk')).toBeVisible()

  await test.step('A page of an earlier build says that it must be reloaded, which sends the change', async () => {
    await context.setOffline(true)
    await ring(page, 'Buy milk').click()
    await expect(page.getByText('Offline: changes are kept on this device')).toBeVisible()
    await intercept(page, 'POST /changes', async (route) => {
      const headers = { ...route.request().headers(), 'page-version': 'earlier' }
      await route.continue({ headers })
    })
    await context.setOffline(false)
    await expect(page.getByText('Daymark has been updated: changes are kept on this device.')).toBeVisible()
    await page.unrouteAll()
    await page.reload()
    await expect.poll(async () => (await user.list('getDoneTasks')).length).toBe(2)
  })
})

test('Dialogs keep changes for later, and clashes are decided', async ({ page, context, user, alerts }) => {
  const task = await user.add({ title: 'Paint', body: 'White.' })
  const bread = await user.add({ title: 'Bake bread', body: 'White.' })
  await user.add({ title: 'Feed the cat' })
  await openDashboard(page, 'Paint')
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
  for (const [title, body] of Object.entries({ 'Bake bread': 'Brown.', Paint: 'Red.' })) {
    await editByDialog(page, title, { body })
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

test('A change of a task that is gone names the task', async ({ page, context, user }) => {
  const paint = await user.add({ title: 'Paint' })
  const bread = await user.add({ title: 'Bake bread' })
  await openDashboard(page)
  await context.setOffline(true)
  await ring(page, 'Paint').click()
  await editByDialog(page, 'Bake bread', { body: 'Brown.' })
  await page.getByRole('button', { name: 'Keep and send later' }).click()
  await expect(editDialog(page)).toBeHidden()
  for (const task of [paint, bread]) await user.remove(task)
  await user.call('POST', '/items/purge', { items: [paint._id, bread._id] })
  await context.setOffline(false)
  const decisions = page.getByRole('region', { name: 'Needs your decision' })
  for (const title of ['Paint', 'Bake bread'])
    await expect(decisions).toContainText(
      `A change of “${title}” was not saved. The server no longer has it.`,
    )
  await page.reload()
  await expect(decisions).toContainText('A change of “Paint” was not saved.')
  await expect(decisions.getByRole('button', { name: /Try again/ })).toHaveCount(0)
  await decisions.getByRole('button', { name: 'Discard: Paint' }).click()
  await decisions.getByRole('button', { name: 'Edit: Bake bread' }).click()
  await expect(addDialog(page).getByLabel('Title')).toHaveValue('Bake bread')
  await expect(addDialog(page).getByLabel('Body')).toHaveValue('Brown.')
})

test('Unsent changes can be saved as a file, which sends them later', async ({ page, user, notes }) => {
  await page.goto('/dashboard/notes')
  await force(page, 'POST /changes', { status: 503 })
  await writeButton(page).click()
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('Ferry at 8:40')
  await expect(unsentLine(page)).toContainText('1 change waiting to sync')
  await page.goto('/dashboard')
  await enterLine(page, 'Buy milk')
  await sidebarButton(page, 'Add Task').click()
  await fillTask(addDialog(page), { title: 'Buy tea', body: 'Green', dueDate: day(0), priority: 'high' })
  await page.keyboard.press('Escape')
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
  for (const outcome of ['3 changes were loaded.', '0 changes were loaded. 3 are here already.']) {
    const chosen = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Load a file' }).click()
    await (await chosen).setFiles(file)
    await expect(page.getByText(outcome)).toBeVisible()
  }
  release()
  await expect.poll(() => user.titles()).toEqual(['Buy milk'])
  await expect.poll(async () => (await notes.list()).map(({ title }) => title)).toEqual(['Ferry at 8:40'])
  await page.keyboard.press('Escape')
  await sidebarButton(page, 'Add Task').click()
  await addDialog(page).getByRole('button', { name: 'Restore' }).click()
  await expect(addDialog(page).getByLabel('Body')).toHaveValue('Green')
})

test('Damaged values of a file or the storage are left out, and others taken in', async ({ page, user }) => {
  await openDashboard(page)
  const account = user.token.slice(0, 21)
  const entryOf = (title: unknown) => {
    const id = crypto.randomUUID()
    const set = { title, dueDate: '2026-11-25', priority: 'low' }
    return { mutation: id, item: id, order: 0, at: Date.now(), set }
  }
  const damaged = [entryOf(5), entryOf({})]
  const file = { account, changes: [entryOf('Buy milk'), ...damaged], notes: [], drafts: [] }
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Load a file' }).click()
  await (await chosen).setFiles({
    ...{ name: 'unsent-changes.json', mimeType: 'application/json' },
    buffer: Buffer.from(JSON.stringify(file)),
  })
  await expect(page.getByText('1 change was loaded. 2 cannot be read and were left out.')).toBeVisible()
  await expect.poll(() => user.list('getLatestTasks')).toHaveLength(1)

  // As an earlier build took them in.
  await page.evaluate(
    ([account, damaged]) => {
      for (const entry of damaged)
        localStorage.setItem(`outbox ${account} ${entry.mutation}`, JSON.stringify(entry))
    },
    [account, damaged] as const,
  )
  await openDashboard(page)
  await page.goto('/dashboard?list=latest')
  await expect(card(page, 'Buy milk')).toHaveCount(1)
  const decisions = page.getByRole('region', { name: 'Needs your decision' })
  await expect(decisions).toContainText(
    '2 changes that this browser keeps are damaged, so they are not shown and not sent.',
  )
  await decisions.getByRole('button', { name: 'Discard: the damaged changes' }).click()
  await expect(decisions).toHaveCount(0)
  await page.reload()
  await expect(card(page, 'Buy milk')).toBeVisible()
  await expect(decisions).toHaveCount(0)
})

test('With a full storage what was typed stays, and says why', async ({ page, context, user, alerts }) => {
  await openDashboard(page)
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError')
    }
  })
  await addByDialog(page, { title: 'Buy bread', dueDate: day(0), priority: 'high' })
  await expect(card(page, 'Buy bread')).toBeVisible()
  await expect.poll(() => alerts).toEqual(['Task added successfully!'])
  await context.setOffline(true)
  await enterLine(page, 'Buy milk')
  const refusal = '“Buy milk”: This task was not added. This browser has no space to keep it.'
  await expect(undoBar(page)).toContainText(refusal)
  await expect(quickLine(page)).toHaveValue('Buy milk')
  await expect(cards(page)).toHaveCount(1)

  await addByDialog(page, { title: 'Buy tea', dueDate: day(0), priority: 'high' })
  const keep = addDialog(page).getByRole('button', { name: 'Keep and send later' })
  await keep.click()
  await expect(addDialog(page).getByRole('alert')).toContainText('This browser has no space to keep it.')
  await addDialog(page).getByRole('button', { name: 'Restore what I typed' }).click()
  await expect(addDialog(page).getByLabel('Title')).toHaveValue('Buy tea')
  await context.setOffline(false)
  expect(await user.titles()).toEqual(['Buy bread'])
})
