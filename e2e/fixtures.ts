import { test as base } from '@playwright/test'
import { noonZone } from './days.ts'
import { type Server, startServer } from './server.ts'
import { signIn } from './sign-in.ts'
import { recordToasts } from './toasts.ts'
import { register, type User } from './user.ts'

// biome-ignore lint/performance/noBarrelFile: tests import what nearly all of them need together
export { day } from './days.ts'
export { expect } from './expect.ts'
export { expectToasts } from './toasts.ts'

/** For `test.use`: with the movements that a browser shows by default. */
export const moving = { contextOptions: { reducedMotion: 'no-preference' } } as const

/** For `test.extend`: a phone. */
export const phone = { hasTouch: true, isMobile: true, viewport: { width: 380, height: 760 } }

export const test = base.extend<{ user: User; stranger: User; alerts: string[] }, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needs of a fixture from its pattern
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ server }, use) => use(server.address),
  timezoneId: noonZone,
  page: async ({ page }, use) => {
    await recordToasts(page)
    await use(page)
  },
  user: async ({ server }, use) => use(await register(server.address)),
  stranger: async ({ server }, use) => use(await register(server.address)),
  /** The texts of the browser alerts so far, each of them closed at once. */
  alerts: async ({ page }, use) => {
    const alerts: string[] = []
    page.on('dialog', (dialog) => {
      alerts.push(dialog.message())
      return dialog.accept()
    })
    await use(alerts)
  },
})

/** The browser of `user`, who is signed in from the first document of `page` on. */
export const signedInTest = test.extend({
  page: async ({ page, server, user }, use) => {
    await signIn(page, server.address, user.token)
    await use(page)
  },
})
