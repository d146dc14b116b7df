import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { force } from './calls.ts'
import { addDialog, card, editButton, sidebarButton } from './dashboard-page.ts'
import { expect, signedInTest, test } from './fixtures.ts'
import { logOut } from './sign-in.ts'

/** Bytes on the wire by kind, as the browser loads a page with nothing in its cache, and those of what is loaded once the page is idle. */
async function bytesOf(page: Page, path: string) {
  await page.goto(path, { waitUntil: 'networkidle' })
  return await page.evaluate(() => {
    const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const isLater = ({ name }: PerformanceEntry) => /\/assets\/(rest|texts)-/.test(name)
    const bytesIn = (extension: string, later = false) =>
      loaded
        .filter((entry) => entry.name.endsWith(extension) && isLater(entry) === later)
        .reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0)
    return { script: bytesIn('.js'), stylesheet: bytesIn('.css'), later: bytesIn('.js', true) }
  })
}

/** The bytes of each kind are no more than this, and there are some. */
function expectWithin(bytes: Record<string, number>, bounds: Record<string, number>) {
  for (const [kind, bound] of Object.entries(bounds)) {
    expect(bytes[kind], kind).toBeGreaterThan(0)
    expect(bytes[kind], kind).toBeLessThanOrEqual(bound)
  }
}

test('The landing page loads 80 kB of script and 12 kB of style at most, compressed', async ({ page }) => {
  expectWithin(await bytesOf(page, '/'), { script: 80_000, stylesheet: 12_000 })
})

signedInTest(
  'The dashboard loads no more than 140 kB of compressed script and 10 kB of compressed style, and once it is idle no more than 65 kB of script',
  async ({ page, user }) => {
    await user.add({ title: 'Water the plants' })
    // The network is never idle while the stream is open.
    await force(page, 'GET /changes/stream', { status: 404 })
    const bytes = await bytesOf(page, '/dashboard')
    await expect(card(page, 'Water the plants')).toBeVisible()
    expectWithin(bytes, { script: 140_000, stylesheet: 10_000, later: 65_000 })
  },
)

test('The whole page has no more than 14 files of script', async () => {
  const files = await readdir(join(import.meta.dirname, '../dist/web/assets'))
  const scripts = files.filter((name) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.length).toBeLessThanOrEqual(14)
})

test('Scripts, styles and pages come compressed by Brotli', async ({ page }) => {
  const encodings = new Map<string, string | undefined>()
  page.on('response', (response) => {
    const kind = response.request().resourceType()
    if (['document', 'script', 'stylesheet'].includes(kind))
      encodings.set(response.url(), response.headers()['content-encoding'])
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  expect(encodings.size).toBeGreaterThanOrEqual(3)
  expect(new Set(encodings.values())).toEqual(new Set(['br']))
})

signedInTest('No request leaves the own origin during a whole visit', async ({ page, user, server }) => {
  await user.add({ title: 'Water the plants' })
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== server.address) elsewhere.push(request.url())
  })
  for (const path of ['/about', '/nowhere', '/login']) await page.goto(path)
  await expect(page).toHaveURL('/dashboard')
  for (const list of ['Latest', 'Priority', 'Today'] as const) await sidebarButton(page, list).click()
  await editButton(page, 'Water the plants').click()
  await page.keyboard.press('Escape')
  await sidebarButton(page, 'Add Task').click()
  await expect(addDialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await logOut(page)
  await page.waitForLoadState('networkidle')
  expect(elsewhere).toEqual([])
})
