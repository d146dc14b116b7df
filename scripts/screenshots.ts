import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { tokenKey } from '#contract/limits.ts'
import { noonZone } from '../e2e/days.ts'
import { startServer } from '../e2e/server.ts'
import { addSamples } from './screenshot-samples.ts'

/** Takes the screenshots in docs/images/ (`npm run screenshots`): every screen on phone and desktop, light and dark. */
const images = join(import.meta.dirname, '../docs/images')

const devices = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 380, height: 760 }, isMobile: true, hasTouch: true },
}

execFileSync(process.execPath, [join(import.meta.dirname, '../web/build.ts')], { stdio: 'inherit' })
const server = await startServer()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
await mkdir(images, { recursive: true })
const { user, noteId } = await addSamples(server)

/** Opens a screen, and waits until all of it is shown. */
type Show = (page: Page) => Promise<unknown>

/** Without requests, a public page has been hydrated: it has the dates of today and the focus. */
const openPublic = (path: string) => (page: Page) => page.goto(path, { waitUntil: 'networkidle' })

const visitorScreens: Record<string, Show> = {
  landing: openPublic('/'),
  about: openPublic('/about'),
  login: openPublic('/login'),
  signup: openPublic('/signup'),
}

const dashboardScreens: Record<string, Show> = {
  'dashboard-today': (page) => openCards(page, '/dashboard'),
  'dashboard-latest': (page) => openCards(page, '/dashboard?list=latest'),
  async 'dashboard-priority'(page) {
    await openCards(page, '/dashboard?list=priority')
    const toast = page.getByRole('alert')
    // On a busy machine it may have gone already.
    await toast.waitFor({ timeout: 3000 }).catch(() => {})
    await toast.waitFor({ state: 'hidden' })
  },
  async 'dashboard-upcoming'(page) {
    await openCards(page, '/dashboard?list=upcoming')
    await page.getByText('Water the tomatoes').first().waitFor()
  },
  'dashboard-someday': (page) => openCards(page, '/dashboard?list=someday'),
  'dashboard-done': (page) => openCards(page, '/dashboard?list=done'),
  'dashboard-deleted': (page) => openCards(page, '/dashboard?list=deleted'),
  async 'dashboard-search'(page) {
    await openCards(page, '/dashboard?search=keys')
    await page.locator('mark').first().waitFor()
  },
  async 'dashboard-quick-add'(page) {
    await openCards(page, '/dashboard')
    await page.getByRole('textbox', { name: 'Quick add' }).fill('Bring the plants inside tomorrow !high')
    await page.getByRole('button', { name: 'Due tomorrow, remove' }).waitFor()
  },
  async 'dashboard-review'(page) {
    await openCards(page, '/dashboard')
    await page.getByRole('button', { name: 'Review' }).click()
    await page
      .getByRole('dialog', { name: 'Review overdue tasks' })
      .getByRole('heading', { level: 3 })
      .waitFor()
  },
  async 'dashboard-add'(page) {
    await openCards(page, '/dashboard')
    await page.keyboard.press('n')
    await page.getByRole('dialog', { name: 'Add New Task' }).waitFor()
  },
  async 'dashboard-account'(page) {
    await openCards(page, '/dashboard')
    await page.getByRole('button', { name: 'Account', exact: true }).click()
    await page.getByRole('dialog', { name: 'Account' }).waitFor()
  },
  async 'notes-list'(page) {
    await page.goto('/dashboard/notes')
    await page.getByRole('region', { name: 'Notes' }).getByRole('listitem').first().waitFor()
  },
  async 'notes-editor'(page) {
    await openNote(page)
    // Until the editor has loaded, its place has a text area.
    await page.locator('.cm-content').waitFor()
  },
  async 'notes-reading'(page) {
    await openNote(page)
    // On a phone the tools of a note are in its menu.
    const more = page.getByRole('toolbar', { name: 'Note' }).getByRole('button', { name: 'More' })
    if ((page.viewportSize()?.width ?? 0) < 768) await more.click()
    await page.getByRole('button', { name: 'Reading view' }).click()
    await page.getByRole('table').waitFor()
  },
}

async function openNote(page: Page) {
  await page.goto(`/dashboard/notes/${noteId}`)
  await page.getByRole('region', { name: 'Note', exact: true }).getByText('Saved').waitFor()
}

async function openCards(page: Page, path: string) {
  await page.goto(path)
  await page.getByRole('article').first().waitFor()
  // Until its code has loaded, a repeat is shown without its rule.
  await page.getByText('Repeats').waitFor({ state: 'hidden' })
}

const signedIn = {
  cookies: [],
  origins: [{ origin: server.address, localStorage: [{ name: tokenKey, value: user.token }] }],
}

for (const device of ['desktop', 'phone'] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const draw = async (name: string, show: Show, options: { storageState?: typeof signedIn } = {}) => {
      const page = await browser.newPage({
        ...devices[device],
        ...options,
        colorScheme,
        baseURL: server.address,
        locale: 'en-GB',
        timezoneId: noonZone,
        reducedMotion: 'reduce',
      })
      await show(page)
      await page.screenshot({
        path: join(images, `${name}-${device}-${colorScheme}.png`),
        animations: 'disabled',
      })
      await page.close()
    }
    for (const [name, show] of Object.entries(visitorScreens)) await draw(name, show)
    for (const [name, show] of Object.entries(dashboardScreens))
      await draw(name, show, { storageState: signedIn })
  }
}

await browser.close()
await server.stop()
