import type { Settings } from '#contract/settings.ts'

/** Where the browser keeps the settings, so that the first paint of the next visit has them. */
export const settingsKey = 'settings'

/** Anything but light and dark follows the system. */
export function applyTheme(theme: unknown): void {
  const { dataset } = document.documentElement
  const isChosen = theme === 'light' || theme === 'dark'
  if (isChosen) dataset.theme = theme
  else delete dataset.theme
  // The colour of the browser's own bars.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const scheme = meta.dataset.scheme
    meta.media = isChosen ? (scheme === theme ? 'all' : 'not all') : `(prefers-color-scheme: ${scheme})`
  }
}

export type KeptSettings = { account: string; settings: Settings; unsent: Partial<Settings> }

/** Of any account, without a check of their values. */
export function keptInBrowser(): Partial<KeptSettings> {
  try {
    return JSON.parse(localStorage.getItem(settingsKey) ?? '{}') ?? {}
  } catch {
    return {}
  }
}
