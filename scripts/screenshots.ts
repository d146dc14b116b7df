import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { tokenKey } from '#contract/limits.ts'
import type { TaskDraft } from '#contract/tasks.ts'
import { day, noonZone } from '../e2e/days.ts'
import { startServer } from '../e2e/server.ts'
import { register } from '../e2e/user.ts'

/** Takes the screenshots in docs/images/ (`npm run screenshots`): every screen on phone and desktop, light and dark. */
const images = join(import.meta.dirname, '../docs/images')

const devices = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 380, height: 760 }, isMobile: true, hasTouch: true },
}

const visitorScreens = {
  landing: '/',
  about: '/about',
  login: '/login',
  signup: '/signup',
}

const dashboardScreens: Record<string, (page: Page) => Promise<void>> = {
  today: async () => {},
  latest: (page) => page.keyboard.press('2'),
  async priority(page) {
    await page.keyboard.press('3')
    const toast = page.getByRole('alert')
    await toast.waitFor()
    await toast.waitFor({ state: 'hidden' })
  },
  add: (page) => page.keyboard.press('n'),
  account: (page) => page.getByRole('button', { name: 'Account', exact: true }).click(),
}

const tasks: TaskDraft[] = [
  { title: 'Read the harbour bylaws', body: '', dueDate: day(12), priority: 'low' },
  {
    title: 'Plan Marta’s birthday',
    body: 'Almond cake, candles, the long table.\nAsk Rui for the speakers.',
    dueDate: day(9),
    priority: 'medium',
  },
  {
    title: 'Renew the passport',
    body: 'Two photos, the old passport, 65 euros.\nThe office opens at nine; go before the queue.',
    dueDate: day(3),
    priority: 'high',
  },
  {
    title: 'Water the tomatoes',
    body: 'Not the basil, it had some yesterday.',
    dueDate: day(0),
    priority: 'low',
  },
  { title: 'Book the ferry for Sunday', body: '', dueDate: day(0), priority: 'medium' },
  {
    title: 'Sign the lease',
    body: 'Page 4 needs initials.\nAsk when the keys are handed over.',
    dueDate: day(0),
    priority: 'high',
  },
  {
    title: 'Return the library books',
    body: 'The one about lighthouses can be renewed once more.',
    dueDate: day(-2),
    priority: 'medium',
  },
]

execFileSync(process.execPath, [join(import.meta.dirname, '../web/build.ts')], { stdio: 'inherit' })
const server = await startServer()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
await mkdir(images, { recursive: true })

const user = await register(server.address)
for (const task of tasks) await user.add(task)

const empty = { cookies: [], origins: [] }
const signedIn = {
  cookies: [],
  origins: [{ origin: server.address, localStorage: [{ name: tokenKey, value: user.token }] }],
}

for (const device of ['desktop', 'phone'] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const draw = async (
      name: string,
      storageState: typeof signedIn,
      show: (page: Page) => Promise<unknown>,
    ) => {
      const page = await browser.newPage({
        ...devices[device],
        colorScheme,
        storageState,
        baseURL: server.address,
        locale: 'en-GB',
        timezoneId: noonZone,
        reducedMotion: 'reduce',
      })
      await show(page)
      await page.screenshot({ path: join(images, `${name}-${device}-${colorScheme}.png`) })
      await page.close()
    }

    for (const [name, path] of Object.entries(visitorScreens)) {
      await draw(name, empty, (page) => page.goto(path))
    }
    for (const [name, open] of Object.entries(dashboardScreens)) {
      await draw(`dashboard-${name}`, signedIn, async (page) => {
        await page.goto('/dashboard')
        await page.getByRole('article').first().waitFor()
        await open(page)
      })
    }
  }
}

await browser.close()
await server.stop()
