import type { Locator, Page } from '@playwright/test'
import axe from 'axe-core'
import { force, keepFailed, serverError, settle } from './calls.ts'
import {
  addDialog,
  card,
  editButton,
  editDialog,
  fillTask,
  moveButton,
  openAt,
  openDashboard,
  openList,
  panelTitle,
  priorityButton,
  ring,
  sidebarButton,
  strip,
  undoBar,
} from './dashboard-page.ts'
import { day, expect, test as visitorTest } from './fixtures.ts'
import { notesTest as test } from './notes-page.ts'
import type { User } from './user.ts'

declare global {
  interface Window {
    axe: typeof axe
  }
}

/**
 * axe-core reports nothing at the width of a phone and of a desktop: with all of its rules in the light theme, and with those
 * about colours, the only ones that a theme can change, in the dark one.
 */
async function expectNoFindings(page: Page, { on = [380, 1280], without = [] as string[] } = {}) {
  const findings: unknown[] = []
  const rules = Object.fromEntries([
    ['target-size', { enabled: true }],
    ...without.map((rule) => [rule, { enabled: false }]),
  ])
  const colours = { runOnly: ['color-contrast', 'link-in-text-block'] }
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  for (const width of on) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
      const options = colorScheme === 'light' ? { rules } : colours
      const { violations } = await page.evaluate(
        (options) => window.axe.run(document, { ...options, preload: false, resultTypes: ['violations'] }),
        options,
      )
      for (const { id, nodes } of violations) {
        for (const { html, failureSummary } of nodes) {
          findings.push({ id, width, colorScheme, html: html.slice(0, 200), failureSummary })
        }
      }
    }
  }
  expect(findings).toEqual([])
}

/** The roles of elements that a person presses, chooses or types into. The options of a select belong to it. */
const controlRoles = new Set(
  'Date button checkbox combobox link menuitem radio searchbox slider spinbutton switch tab textbox'.split(
    ' ',
  ),
)

/** The names of controls that several have, as Chromium reports them to a screen reader. */
async function repeatedNames(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const names = nodes
    .filter(({ ignored, role }) => !ignored && controlRoles.has(role?.value))
    .map(({ name }) => String(name?.value ?? ''))
  expect(names).not.toEqual([])
  // Equal tags and equal links lead to the same place.
  return names.filter((name, index) => !/^(#|https?:)/.test(name) && (!name || names.indexOf(name) < index))
}

/** axe-core reports nothing, and of the controls none is without a name and no two share one, on a tablet too. */
async function expectAccessible(page: Page, { on = [380, 800, 1280], without = [] as string[] } = {}) {
  for (const width of on) {
    await page.setViewportSize({ width, height: 800 })
    // In the second frame everything is laid out anew.
    await settle(page, [])
    // The controls of the screen before may still be there.
    await expect.poll(() => repeatedNames(page), `at ${width} px`).toEqual([])
  }
  await expectNoFindings(page, { on: on.filter((width) => width !== 800), without })
}

async function addTasks(user: User) {
  for (let count = 0; count < 4; count++) await user.add({ title: `Old task ${count}`, dueDate: day(-1) })
  const links = 'See https://example.org and https://example.org #home'
  await user.add({ title: 'Overdue', dueDate: day(-3), priority: 'high', body: links })
  await user.add({ title: 'Due today', priority: 'medium', body: 'A long story.\n'.repeat(40) })
  await user.add({ title: 'Not urgent', priority: 'low', body: 'The #garden and #gardening at #home' })
}

const noteText = 'Shopping\n\n- [ ] milk #food\n- [x] **bread**\n\n> quoted `code`\n\n|a|b|\n|-|-|\n|1|2|\n'

async function writeNote(page: Page) {
  await page.keyboard.press('w')
  await expect(page.locator('.cm-content')).toBeFocused()
  await page.keyboard.insertText(noteText)
  await expect(page.getByRole('listitem').getByRole('link', { name: /^Shopping/ })).toBeVisible()
}

visitorTest('The public pages, their menu and a rejected signup are accessible', async ({ page }) => {
  for (const path of ['/', '/about', '/login', '/nowhere', '/signup'])
    await test.step(path, async () => {
      await page.goto(path)
      await expectNoFindings(page)
      if (path !== '/') return
      await page.setViewportSize({ width: 380, height: 800 })
      await page.getByRole('button', { name: 'Open menu' }).click()
      await expect(page.getByRole('button', { name: 'Close menu' })).toBeVisible()
      await expectNoFindings(page, { on: [380] })
    })
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByLabel('Email', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expectNoFindings(page)
  await page.goto('/reset-password')
  await expectNoFindings(page)
  await page.getByRole('button', { name: 'Choose a password' }).click()
  await page.getByLabel('New password', { exact: true }).fill('a new long password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('This link was used before')
  await expectNoFindings(page)
})

async function openTasks(page: Page, user: User) {
  await addTasks(user)
  await openDashboard(page, 'Due today')
}

test('The undo bar, Done and deleted tasks are accessible, with distinct names', async ({ page, user }) => {
  await openTasks(page, user)
  await ring(page, 'Due today').click()
  await expect(undoBar(page)).toContainText('Completed')
  // The card fades first.
  await expect(card(page, 'Due today')).toHaveCount(0)
  // As long as the bar has the focus, it stays.
  await page.keyboard.press('Tab')
  await undoBar(page).getByRole('button').focus()
  await expectAccessible(page)
  await expect(undoBar(page)).toContainText('Completed')
  await page.keyboard.press('5')
  await expect(ring(page, 'Due today')).toBeChecked()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Delete Due today' }).click()
  await expect(card(page, 'Due today')).toHaveCount(0)
  await page.keyboard.press('0')
  await expect(panelTitle(page)).toHaveText('Recently deleted')
  await expect(card(page, 'Due today')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Delete all for good' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
})

test('What keys and the quick line open is accessible, with distinct names', async ({ page, user }) => {
  await openTasks(page, user)
  const { keyboard } = page
  for (const [keys, shown] of [
    [['j', 'ControlOrMeta+a'], page.getByRole('region', { name: 'Selection' })],
    [['j', 'p'], page.getByRole('menu')],
    [['ControlOrMeta+k'], page.getByRole('dialog', { name: 'Go to or do…' })],
  ] as const)
    await test.step(keys.join(' '), async () => {
      for (const key of keys) await keyboard.press(key)
      await expect(shown).toBeVisible()
      await expectAccessible(page)
      await keyboard.press('Escape')
      await expect(shown).toHaveCount(0)
    })
  await test.step('the chips of the quick line', async () => {
    await keyboard.press('q')
    await keyboard.type('Buy milk tomorrow p1')
    await expect(page.getByRole('button', { name: /^Due tomorrow/ })).toBeVisible()
    await expectAccessible(page)
  })
  await test.step('the tags that complete a typed one', async () => {
    await keyboard.press('ControlOrMeta+a')
    await keyboard.type('Buy #gard')
    await expect(page.getByRole('button', { name: /^Due tomorrow/ })).toHaveCount(0)
    await expect(page.getByRole('listbox', { name: 'Tags' })).toBeVisible()
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowUp')
    await expectAccessible(page)
  })
})

test('All views of a note are accessible, with distinct names of controls', async ({ page, user }) => {
  await openTasks(page, user)
  await writeNote(page)
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Reading view' }).click()
  await expect(page.getByRole('region', { name: 'Table' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Reading view' }).click()
  await expect(page.locator('.cm-content')).toBeVisible()
  await page.getByRole('button', { name: 'History' }).click()
  await page.locator('.history-version').click()
  await expect(page.getByRole('button', { name: 'Restore this version' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Delete the note' }).click()
  await page.keyboard.press('0')
  await page.getByRole('article').getByRole('link').click()
  await expect(page.getByRole('button', { name: 'Restore the note' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Table' })).toBeVisible()
  await expectAccessible(page)
})

test('Lists, notes and a search are accessible, with distinct names', async ({ page, user, notes }) => {
  await addTasks(user)
  await openDashboard(page, 'Overdue')
  await expectAccessible(page)
  for (const [key, title] of [
    ['2', 'Recent'],
    ['3', 'Mark the urgent'],
    ['4', 'Upcoming'],
    ['6', 'Notes'],
  ] as const)
    await test.step(title, async () => {
      await page.keyboard.press(key)
      await expect(panelTitle(page)).toHaveText(title)
      await expectAccessible(page)
    })
  await test.step('a search', async () => {
    await notes.add(noteText)
    await page.keyboard.press('/')
    await page.keyboard.type('o')
    await page.keyboard.press('Enter')
    await expect(card(page, 'Due today')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Notes', level: 2 })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('searchbox', { name: 'Search' }).fill('zzzz')
    await expect(page.getByText('No task or note contains')).toBeVisible()
    await expectAccessible(page)
  })
})

/** Opens each of these, of which the second is seen then, and closes it when it was checked. */
async function expectDialogsAccessible(page: Page, dialogs: [opener: Locator, shown: Locator][]) {
  for (const [opener, shown] of dialogs) {
    await opener.click()
    await expect(shown).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
}

const accountButton = (page: Page) => page.getByRole('button', { name: 'Account', exact: true })

test('The dialogs of tasks are accessible, with distinct names of controls', async ({ page, user }) => {
  await openTasks(page, user)
  await expectDialogsAccessible(page, [
    [sidebarButton(page, 'Add Task'), addDialog(page)],
    [editButton(page, 'Due today'), editDialog(page)],
    [moveButton(page, 'Due today'), page.getByText('Another day')],
    [page.getByRole('button', { name: 'Review' }), page.getByText('1 of 5')],
  ])
  await page.getByRole('button', { name: 'Review' }).click()
  await page.keyboard.type('x\n')
  await expect(page.getByText('2 of 5')).toBeVisible()
  await expectAccessible(page)
})

test('The dialogs of keys, the account and the import are accessible', async ({ page }) => {
  await openDashboard(page)
  await expectDialogsAccessible(page, [
    [page.getByRole('button', { name: 'Keys', exact: true }), page.getByText('Swipe to the right')],
    [accountButton(page), page.getByLabel('Theme')],
  ])
  await accountButton(page).click()
  const tokens = page.getByRole('region', { name: 'Tokens for other programs' })
  for (const [kind, shown] of [
    ['Reads', 'Token'],
    ['Calendar of tasks', 'Address of the calendar'],
  ] as const) {
    await tokens.getByRole('textbox', { name: 'Name' }).fill(kind)
    await tokens.getByLabel('What it does').selectOption(kind)
    await tokens.getByRole('button', { name: 'Make a token' }).click()
    await expect(tokens.getByLabel(shown, { exact: true })).toBeVisible()
  }
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose files' }).click()
  const text = 'Title,Due,Project,Where\nMow the lawn,3/4/2027,House,Lisbon\n'
  await (await chosen).setFiles({ name: 'tasks.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByText('Tags of projects and lists').waitFor()
  for (const summary of await page.locator('summary').all()) await summary.click()
  await expect(page.getByLabel('House (1)')).toBeVisible()
  await expectAccessible(page)
})

test('Reminders that have come are accessible', async ({ page, user }) => {
  await user.add({ title: 'Train', dueDate: day(1), dueTime: '10:00' })
  await openAt(page, '09:59:30')
  await page.clock.runFor(31_000)
  await expect(strip(page).getByRole('listitem')).toHaveCount(1)
  await expectNoFindings(page)
})

test('A clash, a draft and the logout question are accessible, names distinct', async ({ page, user }) => {
  const task = await user.add({ title: 'Due today', body: 'White.' })
  await openDashboard(page)
  await editButton(page, task.title).click()
  await fillTask(editDialog(page), { title: 'Due now', body: 'Blue.' })
  await page.keyboard.press('Escape')
  await editButton(page, task.title).click()
  await expect(editDialog(page).getByRole('button', { name: 'Restore' })).toBeVisible()
  await expectAccessible(page)
  await editDialog(page).getByRole('button', { name: 'Restore' }).click()
  await user.edit(task, { title: 'Due elsewhere', body: 'Red.' })
  await editDialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(editDialog(page).getByRole('group')).toHaveCount(2)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('dialog', { name: 'Log out and discard?' })).toBeVisible()
  await expectAccessible(page)
})

test('A failed or empty list, the rail and the drawer are accessible', async ({ page }) => {
  await keepFailed(page)
  await force(page, 'GET /list/getTodayTasks', serverError)
  await openDashboard(page)
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expectAccessible(page)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('main').getByText('No tasks for today')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Collapse sidebar' }).click()
  await expectAccessible(page, { on: [1280] })
  await page.getByRole('button', { name: 'Expand sidebar' }).click()
  await page.setViewportSize({ width: 380, height: 800 })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(sidebarButton(page, 'Today')).toBeInViewport({ ratio: 1 })
  // The page behind an open drawer is inert, so for the moment there is neither a main landmark nor its heading.
  await expectAccessible(page, { on: [380], without: ['landmark-one-main', 'page-has-heading-one'] })
})

test('A list says in words what is overdue, and announces its changes', async ({ page, user }) => {
  await user.add({ title: 'Overdue', dueDate: day(-3) })
  for (const title of ['Due today', 'Not urgent'])
    await user.add({ title, body: `- [ ] ${title}\n- [ ] ${title} later` })
  await openDashboard(page, 'Not urgent')
  await expect.poll(() => repeatedNames(page)).toEqual([])
  // The task that is due today is not overdue.
  await expect(page.getByRole('region', { name: 'Overdue' }).getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('article').getByText('(late)')).toHaveCount(1)
  const status = page.getByRole('status').filter({ hasText: /\d+ tasks?/ })
  await expect(status).toHaveText(/\b3\b/)
  await page.getByRole('button', { name: 'Delete Overdue' }).click()
  await expect(status).toHaveText(/\b2\b/)
  await test.step('In high contrast the active list and the active priority can be distinguished from the others', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    await openList(page, 'Priority')
    await page.mouse.move(1200, 700)
    const look = (locator: ReturnType<typeof sidebarButton>) =>
      locator.evaluate((element) => {
        const { backgroundColor, color, borderColor, outline, textDecorationLine } = getComputedStyle(element)
        return { backgroundColor, color, borderColor, outline, textDecorationLine }
      })
    await sidebarButton(page, 'Priority').blur()
    expect(await look(sidebarButton(page, 'Priority'))).not.toEqual(await look(sidebarButton(page, 'Latest')))
    expect(await look(priorityButton(page, 'High'))).not.toEqual(await look(priorityButton(page, 'Low')))
  })
})
