import type { Page } from '@playwright/test'
import { tokenKey } from '#contract/limits.ts'
import { expect } from './expect.ts'

export const storedToken = (page: Page) => page.evaluate((key) => localStorage.getItem(key), tokenKey)

/** Stores the token of an account in a page that is open, as a login in another tab does. */
export const storeToken = (page: Page, token: string) =>
  page.evaluate(([key, token]) => localStorage.setItem(key, token), [tokenKey, token] as const)

export const expectDrafts = (page: Page, count: number) =>
  expect
    .poll(() =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft ')).length),
    )
    .toBe(count)
