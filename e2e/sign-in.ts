import { expect, type Page } from '@playwright/test'
import { tokenKey } from '#contract/limits.ts'

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
