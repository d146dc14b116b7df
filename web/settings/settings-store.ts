import { createStore, useStore } from 'zustand'
import { defaultSettings, type Settings } from '#contract/settings.ts'
import { isZone } from '#contract/zone-clock.ts'
import { problemFrom } from '../api/client.ts'
import { call } from '../api/page-client.ts'
import { keepInBrowser, ownAccount } from '../api/session.ts'
import { applyTheme, type KeptSettings, keptInBrowser, settingsKey } from './theme.ts'

type SettingsState = {
  settings: Settings
  /** The settings that were changed here and are not on the server yet. */
  unsent: Partial<Settings>
  failure: string | undefined
}

const initial: SettingsState = { settings: defaultSettings, unsent: {}, failure: undefined }

/** During hydration, its initial state is shown. */
const store = createStore<SettingsState>()(() => initial)

export const zoneHere = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Browsers name some zones differently: Asia/Calcutta and Asia/Kolkata. */
export function isZoneHere(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone === zoneHere()
  } catch {
    // This browser does not know it.
    return false
  }
}

/** Null: the clock of the device counts. */
export const zoneOfReminders = ({
  zone,
  zonePinned,
}: Pick<Settings, 'zone' | 'zonePinned'>): string | null =>
  zonePinned && zone !== null && isZone(zone) && !isZoneHere(zone) ? zone : null

export const settingsNow = (): Settings => store.getState().settings

export const useSettings = (): Settings => useStore(store, ({ settings }) => settings)

/** Why the newest choices are not on the server, if they are not. */
export const useSettingsFailure = (): string | undefined =>
  useStore(store, ({ unsent, failure }) => (isEmpty(unsent) ? undefined : failure))

const isEmpty = (settings: Partial<Settings>) => Object.keys(settings).length === 0

/** Also follows changes in other tabs. */
export function followSettings(): () => void {
  const load = () => {
    const { account, settings, unsent } = keptInBrowser()
    const isOwn = account !== undefined && account === ownAccount()
    store.setState(isOwn ? { settings: { ...defaultSettings, ...settings }, unsent: unsent ?? {} } : initial)
    applyTheme(store.getState().settings.theme)
  }
  load()
  window.addEventListener('storage', load)
  return () => {
    window.removeEventListener('storage', load)
    // After a logout nothing is kept.
    load()
  }
}

export function changeSettings(change: Partial<Settings>): void {
  const { settings, unsent } = store.getState()
  show({ settings: { ...settings, ...change }, unsent: { ...unsent, ...change }, failure: undefined })
  syncSettings()
}

let syncing: Promise<void> | undefined

/** A setting that is changed meanwhile is sent afterwards. */
export async function syncSettings(): Promise<void> {
  if (ownAccount() === undefined) return
  syncing ??= sync()
  await syncing
}

async function sync() {
  try {
    do {
      const sent = store.getState().unsent
      const { data } = isEmpty(sent)
        ? await call('GET /settings')
        : await call('PATCH /settings', { body: { settings: sent }, keepalive: true })
      const changed = Object.entries(store.getState().unsent).filter(
        ([name, value]) => sent[name as keyof Settings] !== value,
      )
      const unsent: Partial<Settings> = Object.fromEntries(changed)
      show({ settings: { ...defaultSettings, ...data.settings, ...unsent }, unsent, failure: undefined })
    } while (!isEmpty(store.getState().unsent))
  } catch (error) {
    console.error(error)
    // Rejected settings are not sent again. After another failure, the next visit or change sends them.
    const unsent = problemFrom(error)?.status === 400 ? {} : store.getState().unsent
    show({ ...store.getState(), unsent, failure: (error as Error).message })
  } finally {
    syncing = undefined
  }
}

function show(state: SettingsState) {
  store.setState(state)
  applyTheme(state.settings.theme)
  const account = ownAccount()
  const { settings, unsent } = state
  if (account !== undefined) keepInBrowser(settingsKey, { account, settings, unsent } satisfies KeptSettings)
}
