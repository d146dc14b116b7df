import type { Page } from '@playwright/test'
import { tokenKey } from '#contract/limits.ts'

export const storedToken = (page: Page) => page.evaluate((key) => localStorage.getItem(key), tokenKey)
