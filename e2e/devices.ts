import type { Browser, Page } from '@playwright/test'
import { apiBase } from '#contract/limits.ts'
import { openDashboard } from './dashboard-page.ts'
import type { Server } from './server.ts'
import { signIn } from './sign-in.ts'
import { recordToasts } from './toasts.ts'
import type { User } from './user.ts'

/** Opens the dashboard, or another path, and waits until it follows changes. */
export async function openFollowing(page: Page, path?: string) {
  const stream = page.waitForResponse((response) => response.url().endsWith(`${apiBase}/changes/stream`))
  await (path === undefined ? openDashboard(page) : page.goto(path))
  await stream
}

export async function otherDevice(browser: Browser, server: Server, user: User): Promise<Page> {
  const page = await browser.newPage({ baseURL: server.address })
  await signIn(page, server.address, user.token)
  await recordToasts(page)
  return page
}
