import type { Page, Route } from '@playwright/test'
import {
  addDialog,
  badge,
  card,
  cards,
  chip,
  moveButton,
  openDashboard,
  panelTitle,
  pasteLines,
  quickLine,
  sidebar,
} from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import {
  cutOff,
  draftsIn,
  editor,
  holdFile,
  noteLink,
  notePane,
  notePath,
  notesOf,
  writeButton,
} from './notes-page.ts'

/**
 * Cuts off the files of a chunk, until the returned function is called, in a browser that remembers modules which could not
 * be loaded, as Firefox and Safari do: the same address is not asked for again.
 */
async function cutOffChunk(page: Page, name: string) {
  const remembered = new Set<string>()
  let isCutOff = true
  // The page recognizes Chromium, which does not remember failures, by this.
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'userAgentData'))
  await page.route(`**/assets/${name}-*`, (route) => {
    const url = route.request().url()
    const isModule = route.request().resourceType() === 'script'
    if (isModule && isCutOff) remembered.add(url)
    return isCutOff || (isModule && remembered.has(url))
      ? route.abort('internetdisconnected')
      : route.continue()
  })
  return () => {
    isCutOff = false
  }
}

/** The first request of this address, which waits from now on. */
const hold = (page: Page, url: string | RegExp) => new Promise<Route>((resolve) => page.route(url, resolve))

async function stop(page: Page, route: Route) {
  const stopped = page.waitForEvent('requestfailed', (request) => request === route.request())
  await route.abort('aborted')
  await stopped
}

test('A part that could not be loaded says so and can be tried again, and the rest of the dashboard works', async ({
  page,
  user,
}) => {
  await user.add({ title: 'Water the plants' })
  const tryAgain = page.getByRole('button', { name: 'Try again' })
  const [notes, rest] = ['**/assets/notes-*', '**/assets/rest-*'] as const
  const cutOff = (part: string) => page.route(part, (route) => route.abort('internetdisconnected'))
  await cutOff(notes)
  await cutOff(rest)
  await openDashboard(page)
  await test.step('Notes that were not opened before', async () => {
    await page.keyboard.press('6')
    await expect(page.getByRole('main')).toContainText('This part of the page could not be loaded.')
    await expect(panelTitle(page)).toHaveText('Notes')
    await tryAgain.click()
    await expect(tryAgain).toBeVisible()
    await page.keyboard.press('1')
    await expect(card(page, 'Water the plants')).toBeVisible()

    await page.keyboard.press('6')
    await expect(tryAgain).toBeVisible()
    await page.unroute(notes)
    await tryAgain.click()
    await expect(page.getByRole('button', { name: 'Write a note' })).toBeVisible()
    await expect(page.locator('.notes-list-head')).toHaveCSS('display', 'flex')
    await expect(sidebar(page).getByRole('button', { name: 'Notes' })).toHaveAttribute('aria-current', 'true')
  })
  await test.step('A dialog, which has its styles when it is opened again', async () => {
    await page.keyboard.press('1')
    await moveButton(page, 'Water the plants').click()
    await expect(page.getByRole('dialog', { name: 'Not loaded' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.unroute(rest)
    await moveButton(page, 'Water the plants').click()
    await expect(page.getByRole('dialog', { name: 'Move' })).toBeVisible()
    await expect(page.locator('.day-choice')).toHaveCSS('display', 'flex')
  })
  await test.step('A dialog that comes when the connection is back returns the focus', async () => {
    await cutOff(rest)
    await openDashboard(page)
    await moveButton(page, 'Water the plants').click()
    await expect(page.getByRole('dialog', { name: 'Not loaded' })).toBeVisible()
    await page.unroute(rest)
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(page.getByRole('dialog', { name: 'Move' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(moveButton(page, 'Water the plants')).toBeFocused()
  })
  await test.step('A search', async () => {
    await cutOff(rest)
    await page.goto('/dashboard?search=water')
    await expect(page.getByRole('alert')).toContainText('This part of the page could not be loaded.')
    await page.unroute(rest)
    await tryAgain.click()
    await expect(card(page, 'Water the plants')).toBeVisible()
  })
})

test('While a dialog is loaded, Back closes it, Tab moves in it, and its keys are for no other dialog', async ({
  page,
  user,
}) => {
  for (const title of ['one', 'two']) await user.add({ title })
  const openLate = async () => {
    await page.unrouteAll()
    const { arrive } = await holdFile(page, 'rest')
    await openDashboard(page, 2)
    return arrive
  }
  const move = page.getByRole('dialog', { name: 'Move' })
  await test.step('Another dialog', async () => {
    const arrive = await openLate()
    await moveButton(page, 'one').click()
    await page.keyboard.press('1')
    await card(page, 'two').locator('[data-action=prioritise]').click()
    arrive()
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(badge(card(page, 'two'))).toHaveText('LOW')
  })
  await test.step('Tab', async () => {
    const arrive = await openLate()
    await moveButton(page, 'one').click()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    arrive()
    await expect(move.getByLabel('Time')).toBeFocused()
  })
  await test.step('Back', async () => {
    const arrive = await openLate()
    await page.keyboard.press('2')
    await expect(panelTitle(page)).toHaveText('Recent')
    await moveButton(page, 'one').click()
    await page.evaluate(() => {
      const isGoing = new Promise((done) => navigation.addEventListener('navigate', done, { once: true }))
      history.back()
      return isGoing.then(() => {})
    })
    await page.keyboard.press('?')
    arrive()
    await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
    await expect(move).toHaveCount(0)
    await expect(panelTitle(page)).toHaveText('Recent')
  })
})

test('Keys that come before an address has opened a dialog or a note are typed there', async ({
  page,
  user,
}) => {
  await user.add({ title: 'one' })
  const launchLate = async (search: string, ...keys: string[]) => {
    await page.unrouteAll()
    const { arrive } = await holdFile(page, 'rest')
    await page.goto(`/dashboard?${search}`, { waitUntil: 'domcontentloaded' })
    await expect(card(page, 'one')).toBeVisible()
    for (const key of keys) await page.keyboard.press(key)
    arrive()
  }
  await launchLate('new=task', ...'1n milk')
  await expect(addDialog(page).getByLabel('Title', { exact: true })).toHaveValue('1n milk')
  await launchLate('new=note', ...'1n', 'Enter', ...'milk')
  await expect(editor(page)).toHaveText('1nmilk')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await test.step('Escape opens nothing', async () => {
    await launchLate('new=task', 'Escape', '?')
    await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })
})

test('A logout asks about what was typed for a note while its part is loaded, and then keeps nothing of it', async ({
  page,
}) => {
  await holdFile(page, 'notes')
  await openDashboard(page)
  await page.keyboard.press('w')
  await page.keyboard.type('Ferry')
  await page.getByRole('button', { name: 'Logout' }).click()
  const dialog = page.getByRole('dialog', { name: 'Log out and discard?' })
  await expect(dialog.getByRole('listitem')).toHaveText(/Ferry/)
  await dialog.getByRole('button', { name: 'Log out and discard' }).click()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain('Ferry')
})

const answersForMissingFiles = {
  'a 404': { status: 404, contentType: 'text/html', body: 'Not found' },
  'a page': {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    body: '<!doctype html><title>Daymark</title>',
  },
}

test('A part that is missing after an upgrade offers a reload, which loses no typed text', async ({
  page,
  user,
}) => {
  await user.add({ title: 'Water the plants' })
  for (const [name, answer] of Object.entries(answersForMissingFiles))
    await test.step(`A part that is missing, which ${name} says`, async () => {
      await page.route(/\/assets\/(notes|rest)-/, (route) => route.fulfill(answer))
      await openDashboard(page)
      await quickLine(page).fill(`Sow the beans after ${name}`)
      await moveButton(page, 'Water the plants').click()
      const dialog = page.getByRole('dialog', { name: 'Not loaded' })
      await expect(dialog).toContainText('There is a new version.')
      await expect(dialog.getByRole('button', { name: 'Reload' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await page.keyboard.press('w')
      await page.keyboard.type('Ferry ')
      await expect(page.getByRole('main')).toContainText('There is a new version.')
      await page.keyboard.type(`after ${name}`)
      await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
      await page.unrouteAll()
      await page.getByRole('button', { name: 'Reload', exact: true }).click()
      await expect(writeButton(page)).toBeVisible()
      await page.goto('/dashboard')
      await expect(page.getByRole('region', { name: 'Your note' })).toContainText(`Ferry after ${name}`)
      await expect(page.getByText(`Unfinished: “Sow the beans after ${name}”`)).toBeVisible()
    })
})

/** Parts that are loaded while something else goes on. The editor has a single file. */
const silentParts: Record<string, (page: Page) => Promise<void>> = {
  rest: async () => {},
  editor: (page) => page.keyboard.press('6'),
}

test('A part that is missing after an upgrade and would only be missed makes the page offer a reload', async ({
  page,
  user,
}) => {
  await user.add({ title: 'Water the plants' })
  for (const [part, use] of Object.entries(silentParts))
    await test.step(part, async () => {
      await page.route(`**/assets/${part}-*`, (route) => route.fulfill({ status: 404 }))
      await openDashboard(page, 'Water the plants')
      await use(page)
      await expect(page.getByRole('button', { name: 'Reload for the new version' })).toBeVisible()
      await page.unrouteAll()
    })
})

/** Firefox stops all requests of a page as soon as another document begins to load, while the page is still shown. */
test('A page that is being left neither shows nor reports what its browser has stopped loading, until it is shown again', async ({
  page,
  user,
}) => {
  await user.add({ title: 'Water the plants' })
  const reported: string[] = []
  page.on('console', (message) => message.type() === 'error' && reported.push(message.text()))
  const importing = hold(page, /\/importing-.*\.css/)
  await openDashboard(page)
  // The first `pageshow` follows it.
  await page.waitForLoadState()
  const validation = hold(page, '**/user/validate')
  await page.keyboard.press('2')
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const loading = await Promise.all([validation, importing])
  await page.evaluate(() => dispatchEvent(new Event('beforeunload')))
  for (const route of loading) await stop(page, route)
  const failure = page.getByText('could not be loaded')
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect([await failure.count(), reported.filter((text) => !text.includes('ERR_ABORTED'))]).toEqual([0, []])
  await page.unrouteAll()
  await page.evaluate(() => dispatchEvent(new Event('pageshow')))
  await expect(failure).toBeVisible()
})

test('Try again loads a part that could not be loaded, also where the browser remembers failed modules', async ({
  page,
  user,
  server,
}) => {
  await user.add({ title: 'Water the plants' })
  await notesOf(server, user).add('Water butt')
  const reconnect = [
    await cutOffChunk(page, 'notes'),
    await cutOffChunk(page, 'texts'),
    await cutOffChunk(page, 'rest'),
  ]
  await openDashboard(page)
  await moveButton(page, 'Water the plants').click()
  await expect(page.getByRole('dialog', { name: 'Not loaded' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('6')
  await expect(page.getByRole('main')).toContainText('This part of the page could not be loaded.')
  for (const connect of reconnect) connect()
  // An attempt that began before the connection was back can fail once more.
  await expect(async () => {
    const tryAgain = page.getByRole('button', { name: 'Try again' })
    if (await tryAgain.isVisible()) await tryAgain.click()
    await expect(writeButton(page)).toBeVisible({ timeout: 2000 })
  }).toPass()
  await page.keyboard.press('1')
  await moveButton(page, 'Water the plants').click()
  await expect(page.getByRole('dialog', { name: 'Move' })).toBeVisible()
})

test('The quick line finds days and tags and adds pasted lines with the next use after its parts could not be loaded', async ({
  page,
  user,
}) => {
  await user.add({ title: 'Water the plants #garden' })
  const reconnect = await cutOffChunk(page, 'rest')
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/rest-'))
  await openDashboard(page)
  await quickLine(page).pressSequentially('Sow tomorrow #')
  await failed
  await expect(chip(page, /Due/)).toHaveCount(0)
  reconnect()
  // The page may learn of the failure later than this test does, and then the next letter is too early for a new attempt.
  await quickLine(page).press('g')
  await expect(async () => {
    await quickLine(page).press('Backspace')
    await quickLine(page).press('g')
    await expect(page.getByRole('option', { name: '#garden' })).toBeVisible({ timeout: 1000 })
  }).toPass()
  await quickLine(page).blur()
  await quickLine(page).focus()
  await expect(chip(page, /Due tomorrow/)).toBeVisible()

  await test.step('Pasted lines are kept, also over a reload, until the part that adds them can be loaded', async () => {
    await quickLine(page).fill('')
    const connect = await cutOffChunk(page, 'rest')
    await openDashboard(page)
    await pasteLines(page, 'Sow\nMow')
    const notLoaded = page
      .getByRole('alert')
      .filter({ hasText: 'This part of the page could not be loaded.' })
    await expect(notLoaded).toBeVisible()
    await openDashboard(page)
    await expect(page.getByText('Unfinished: “Sow Mow”')).toBeVisible()
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect(notLoaded).toBeVisible()
    connect()
    await expect(async () => {
      await quickLine(page).blur()
      await quickLine(page).focus()
      await expect(page.getByRole('button', { name: 'Add 2 tasks' })).toBeVisible({ timeout: 1000 })
    }).toPass()
    await page.getByRole('button', { name: 'Add 2 tasks' }).click()
    await expect(cards(page)).toHaveCount(3)
    expect(await page.evaluate(() => Object.keys(localStorage).join())).not.toContain('draft ')
  })
})

test('The editor comes with the next note after it could not be loaded', async ({ page, user, server }) => {
  const notes = notesOf(server, user)
  await notes.add('Harbour')
  await notes.add('Ferry')
  const connect = await cutOffChunk(page, 'editor')
  await page.goto('/dashboard/notes')
  await noteLink(page, 'Ferry').click()
  await expect(notePane(page).locator('.reading')).toHaveText('Ferry')
  connect()
  // The page may learn of the failure later than this test does, and then a note still waits for the first attempt.
  await expect(async () => {
    await noteLink(page, 'Ferry').click()
    await noteLink(page, 'Harbour').click()
    await expect(editor(page)).toHaveText('Harbour', { timeout: 1000 })
  }).toPass()
})

test('Unsent notes are sent when the part that sends them can be loaded', async ({
  page,
  context,
  user,
  server,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry')
  await page.goto(notePath(id))
  await expect(editor(page)).toHaveText('Ferry')
  const restore = await cutOff(context)
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(' boat')
  await expect.poll(() => draftsIn(page)).toHaveLength(1)
  await page.close()
  await restore()
  const next = await context.newPage()
  const connect = await cutOffChunk(next, 'notes')
  const failed = next.waitForEvent('requestfailed', (request) => request.url().includes('/assets/notes-'))
  await openDashboard(next)
  await failed
  connect()
  await next.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect.poll(async () => (await notes.get(id)).text).toBe('Ferry boat')
})
