import type { Page } from '@playwright/test'
import { expect } from './expect.ts'

export type Toast = {
  kind: string
  text: string
  /** As in `bottom-right`. */
  position: string
  /** How long it is meant to stay, in milliseconds. */
  autoClose: number
  /** How long it did stay; absent while it is there. */
  lasted?: number
}

declare global {
  interface Window {
    toasts: Toast[]
  }
}

/** Records every toast from the start: one that lasts a second is too short to be polled for. */
export function recordToasts(page: Page) {
  return page.addInitScript(() => {
    window.toasts = []
    const seen = new Map<Element, { toast: Toast; since: number }>()
    const look = () => {
      for (const element of document.querySelectorAll('.Toastify__toast')) {
        if (seen.has(element)) continue
        const toast = describe(element)
        seen.set(element, { toast, since: performance.now() })
        window.toasts.push(toast)
      }
      for (const [element, { toast, since }] of seen) {
        if (!element.isConnected) toast.lasted ??= performance.now() - since
      }
    }
    const describe = (element: Element): Toast => {
      const bar = element.querySelector('.Toastify__progress-bar')
      const container = element.closest('.Toastify__toast-container')
      return {
        kind: element.className.match(/Toastify__toast--(info|success|warning|error)/)?.[1] ?? 'plain',
        text: element.textContent ?? '',
        position: container?.className.match(/--((?:top|bottom)-(?:left|center|right))/)?.[1] ?? 'nowhere',
        autoClose: bar ? Number.parseFloat(getComputedStyle(bar).animationDuration) * 1000 : Infinity,
      }
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  })
}

export const toastsOf = (page: Page): Promise<Toast[]> => page.evaluate(() => window.toasts)

/** These toasts and no others have been shown since the page was loaded: `error: Cannot get today tasks`. */
export async function expectToasts(page: Page, expected: string[]) {
  const lines = async () => (await toastsOf(page)).map(({ kind, text }) => `${kind}: ${text}`)
  await expect.poll(lines).toEqual(expected)
}
