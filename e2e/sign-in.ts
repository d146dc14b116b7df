import { expect, type Page } from '@playwright/test'
import { apiBase, tokenKey } from '#contract/limits.ts'

/**
 * Has the first document of the page find a token in the browser, as a login before left it. The storage state of a context
 * would cost a page of its own, a fifth of opening the dashboard. Pages of the same context find the token
 * once this page has been opened; one that is opened before needs a call of its own.
 */
export async function signIn(page: Page, server: string, token: string) {
  await page.addInitScript(
    ([server, key, token]) => {
      // The name of a window outlives its documents.
      if (location.origin !== server || window.name !== '') return
      window.name = 'signed in'
      localStorage.setItem(key, token)
    },
    [server, tokenKey, token] as const,
  )
}

/** Fills in the form of the login page, which is shown, and submits it. */
export async function logIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
}

export async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
}

export const firefoxOnAndroid = 'Mozilla/5.0 (Android 16; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0'

/** Logs in through the API, as another device does, and returns the token. */
export async function logInElsewhere(
  server: string,
  { email, password }: { email: string; password: string },
  userAgent = 'curl/8.14.1',
): Promise<string> {
  const response = await fetch(`${server}${apiBase}/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ email, password }),
  })
  return (await response.json()).token
}

/** The status of the validation of a token: 200 or 403. */
export const validityOf = async (server: string, token: string | null) =>
  (await fetch(`${server}${apiBase}/user/validate`, { headers: { authorization: `Bearer ${token}` } })).status
