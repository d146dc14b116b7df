import type { Page, Route } from '@playwright/test'
import { apiBase } from '#contract/limits.ts'
import type { Priority } from '#contract/task-fields.ts'
import { recordCalls, settle } from './calls.ts'
import {
  addByDialog,
  addDialog,
  badge,
  card,
  cards,
  dateOf,
  deleteButton,
  editButton,
  editByDialog,
  editDialog,
  enterLine,
  openDashboard,
  openList,
  priorityButton,
  ring,
  sidebarButton,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { day, expect, expectToasts, test } from './fixtures.ts'
import { logIn, logOut } from './sign-in.ts'

// The page in front of a server that has the calls of the specification (section 7) and nothing else.

type SpecifiedTask = Record<'_id' | 'title' | 'body' | 'dueDate' | 'createdAt', string> & {
  priority: Priority
}

/** Answers as little as the specification allows; the writes are answered without a body. Everything else is a 404. */
async function startStub(page: Page, tasks: SpecifiedTask[] = []) {
  const token = 'a token of the stub'
  const listOf = (belongs: (task: SpecifiedTask) => boolean) => ({ json: { lists: tasks.filter(belongs) } })
  const of = (priority: Priority) => () => listOf((task) => task.priority === priority)
  const empty = { status: 200, body: '' }
  const add = (body: object) =>
    tasks.push({ ...body, _id: String(tasks.length), createdAt: `${day(0)}T10:00:00.000Z` } as SpecifiedTask)
  const answers: Record<string, (route: Route, id: string) => Parameters<Route['fulfill']>[0]> = {
    'GET /user/validate': (route) => ({
      json: { valid: route.request().headers().authorization === `Bearer ${token}` },
    }),
    'POST /user/login': () => ({ json: { token } }),
    'POST /user/register': () => ({ json: { token } }),
    'GET /list/getTodayTasks': () => listOf(({ dueDate }) => String(dueDate).startsWith(day(0))),
    'GET /list/getLatestTasks': () => listOf(() => true),
    'GET /list/getHighPriorityTasks': of('high'),
    'GET /list/getMediumPriorityTasks': of('medium'),
    'GET /list/getLowPriorityTasks': of('low'),
    'POST /list/addTask': (route) => {
      add(route.request().postDataJSON())
      return empty
    },
    'PUT /list/updateTask/': (route, id) => {
      Object.assign(tasks.find(({ _id }) => _id === id) ?? {}, route.request().postDataJSON())
      return empty
    },
    'DELETE /list/deleteTask/': (_, id) => {
      tasks.splice(
        tasks.findIndex(({ _id }) => _id === id),
        1,
      )
      return empty
    },
  }
  await page.route(`**${apiBase}/**`, (route) => {
    const path = new URL(route.request().url()).pathname.slice(apiBase.length)
    const [, call = '', id = ''] = /^(.*Task\/|.*)(.*)$/.exec(`${route.request().method()} ${path}`) ?? []
    return route.fulfill(answers[call]?.(route, id) ?? { status: 404, body: 'Not found' })
  })
  return { token }
}

const whole = {
  ...{ title: 'Water the plants', body: 'All of them', dueDate: day(0) },
  ...{ priority: 'low' as const, createdAt: '2026-11-20T08:00:00.000Z' },
}

async function openStub(page: Page, ...tasks: Partial<SpecifiedTask>[]) {
  const stored = tasks.map((task, index) => ({ _id: `task-${index}`, ...whole, ...task }))
  const { token } = await startStub(page, stored)
  await page.addInitScript((value) => localStorage.setItem('token', value), token)
  await openDashboard(page)
}

test('A server that knows only the specification is enough for its features', async ({ page, alerts }) => {
  await startStub(page)
  await page.goto('/signup')
  await page.getByLabel('Name', { exact: true }).fill('Ada')
  await logIn(page, { email: 'ada@example.org', password: 'correct horse' })
  // The stored token is valid, so the login page leads on.
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('No tasks for today', { exact: true }).last()).toBeVisible()

  await addByDialog(page, { title: 'Feed the cat', dueDate: day(0), priority: 'high' })
  await expect(card(page, 'Feed the cat')).toBeVisible()
  await expect(addDialog(page)).toBeHidden()
  expect(alerts).toEqual(['Task added successfully!'])

  await editByDialog(page, 'Feed the cat', {
    title: 'Feed both cats',
    body: 'and the dog',
    priority: 'medium',
  })
  await expect(editDialog(page)).toBeHidden()
  await expect(badge(card(page, 'Feed both cats'))).toHaveText('MEDIUM')
  await expect(card(page, 'Feed both cats')).toContainText('and the dog')

  await enterLine(page, 'Water the plants')
  await expect(card(page, 'Water the plants')).toBeVisible()

  await deleteButton(page, 'Feed both cats').click()
  await expect(cards(page)).toHaveCount(1)
  await expectToasts(page, [
    'success: Signup successful! Redirecting to login...',
    'info: No tasks for today',
    'success: Task updated successfully!',
    'success: Task deleted successfully',
  ])

  await logOut(page)
  expect(await page.evaluate(() => localStorage.length)).toBe(0)

  await page.getByRole('link', { name: 'Login' }).first().click()
  await logIn(page, { email: 'ada@example.org', password: 'correct horse' })
  await expect(page).toHaveURL('/dashboard')
  await expect(card(page, 'Water the plants')).toBeVisible()
})

test('A task with the six specified fields is an open card in each of its lists', async ({ page }) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await openStub(
    page,
    { title: 'today', priority: 'high' },
    { title: 'with a time', dueDate: `${day(0)}T23:30:00.000-11:00` },
    { title: 'later', dueDate: day(3), priority: 'medium' },
    { title: null, dueDate: 5 } as object,
  )
  await expect(cards(page)).toHaveCount(2)
  const task = card(page, 'today')
  await expect(task).toContainText('All of them')
  await expect(dateOf(task, 'Created')).toHaveAttribute('datetime', '2026-11-20T08:00:00.000Z')
  await expect(badge(task)).toHaveText('HIGH')
  for (const title of ['today', 'with a time']) {
    await expect(dateOf(card(page, title), 'Due')).toHaveAttribute('datetime', day(0))
    await expect(ring(page, title)).not.toBeChecked()
  }
  await editButton(page, 'with a time').click()
  await expect(editDialog(page).getByLabel('Due Date')).toHaveValue(day(0))
  await editDialog(page).getByRole('button', { name: 'Cancel' }).click()

  await openList(page, 'Latest')
  const titles = ['Untitled', 'later', 'today', 'with a time']
  await expect.poll(async () => (await titlesOf(page)).toSorted()).toEqual(titles)
  await expect(card(page, 'Untitled')).toContainText('All of them')
  await editButton(page, 'Untitled').click()
  await expect(editDialog(page).getByLabel('Title', { exact: true })).toHaveValue('')
  await editDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await sidebarButton(page, 'Priority').click()
  await expect.poll(() => titlesOf(page)).toEqual(['today'])
  await priorityButton(page, 'Medium').click()
  await expect.poll(() => titlesOf(page)).toEqual(['later'])
  await priorityButton(page, 'Low').click()
  await expect.poll(() => titlesOf(page)).toEqual(['Untitled', 'with a time'])
  await expectToasts(page, ['success: High priority tasks fetched successfully'])

  await test.step('A feature that such a server does not have says so and removes nothing', async () => {
    const calls = recordCalls(page)
    await ring(page, 'with a time').click()
    await expect(card(page, 'with a time')).toContainText(
      'This task was not completed. The server does not support this.',
    )
    await expect(ring(page, 'with a time')).not.toBeChecked()
    await settle(page, calls)
    await expect(undoBar(page).getByRole('button')).toHaveCount(0)
    expect(errors).toEqual([])
  })
})

test('A web page in place of an answer is told as such, wherever it comes', async ({ page, alerts }) => {
  const portal = { status: 200, contentType: 'text/html', body: '<h1>Log in to this network</h1>' }
  const sentence =
    'A web page came instead of an answer from the server: this network may require you to log in to it first.'
  await openStub(page, {})
  await expect(cards(page)).toHaveCount(1)
  await test.step('A task is reported as added as soon as the server says so, although its list never answers', async () => {
    await page.route(`**${apiBase}/list/getTodayTasks`, () => {})
    await addByDialog(page, { title: 'Feed the cat', dueDate: day(0), priority: 'high' })
    await expect.poll(() => alerts).toEqual(['Task added successfully!'])
    await expect(addDialog(page)).toBeHidden()
  })
  await test.step('An answer without a list is a failure of the list', async () => {
    await page.route(`**${apiBase}/list/getTodayTasks`, (route) => route.fulfill({ json: {} }))
    await openDashboard(page)
    await expectToasts(page, ['error: Cannot get today tasks'])
    await expect(page.getByRole('main')).toContainText('The server answered without a list.')
  })
  await page.unroute(`**${apiBase}/list/getTodayTasks`)
  alerts.length = 0
  await openDashboard(page, 2)
  await page.route(`**${apiBase}/**`, (route) => route.fulfill(portal))
  await editByDialog(page, 'Water the plants', { title: 'Feed the cat' })
  await expect(editDialog(page)).toContainText(sentence)
  await page.keyboard.press('Escape')
  await addByDialog(page, { title: 'Feed the cat', dueDate: day(0), priority: 'high' })
  await expect.poll(() => alerts).toEqual([`Failed to add task. Please try again. ${sentence}`])
  await page.keyboard.press('Escape')
  await sidebarButton(page, 'Latest').click()
  await expect(page.getByRole('main')).toContainText(sentence)
  await page.goto('/login')
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('main')).toContainText(sentence)
})
