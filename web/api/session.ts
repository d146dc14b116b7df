import { tokenKey } from '#contract/limits.ts'

/** The token of this page's dashboard, or null without one. Undefined until the page shows a dashboard. */
let dashboardToken: string | null | undefined

let destination: string | undefined

/** Whether the server has ended the session of the dashboard. The login is then shown in the same document. */
let isEndedByServer = false

export const storedToken = (): string | null => localStorage.getItem(tokenKey)

/** The leading characters of a token, which all sessions of a user share. */
const accountLength = 21

/** The account of the signed-in person. It does not reveal the token. */
export const storedAccount = (): string | undefined => storedToken()?.slice(0, accountLength)

/** The account of this page's dashboard, even after a login in another tab. Everything of a dashboard is kept for it. */
export const ownAccount = (): string | undefined =>
  dashboardToken === undefined ? storedAccount() : dashboardToken?.slice(0, accountLength)

/** Binds this page to the stored session. Returns false for another session, whose dashboard replaces this page and its data. */
export function beginDashboard(): boolean {
  // The prerendered page has no storage.
  if (typeof document === 'undefined') return true
  if (dashboardToken === undefined) dashboardToken = storedToken()
  const isOver = isSessionOver()
  // Back may lead to an address of another person, with words of a search.
  const marked = globalThis.navigation?.currentEntry?.getState() ?? globalThis.history?.state
  const account = (marked as { account?: string } | null | undefined)?.account
  const isOfOther = account !== undefined && account !== storedAccount()
  if (!isOver && !isOfOther) return true
  if (isOfOther) history.replaceState(null, '', '/dashboard')
  leaveFor(location.pathname + location.search)
  return false
}

/** The key of the account and the email that were signed in last, until a logout. */
const personKey = 'person'

/** The key of the account whose reminders this browser shows while the page is closed. */
export const remindedKey = 'reminded'

export const sessionEnded = 'session ended'

export const intentKey = 'writesNote'

/** The key of the push endpoint that the server has acknowledged. */
export const acknowledgedKey = 'reminded at'

/** Resolves when the browser has ended the reminders of an earlier session. The next document waits for it. */
let remindersEnd: Promise<unknown> | undefined

/** Milliseconds that the end of a session waits for the end of a push subscription. */
const longestEnd = 2000

/** Ends the reminders in this browser. The server sends none after the session, but one may be on its way. */
function endReminders(): void {
  localStorage.removeItem(remindedKey)
  localStorage.removeItem(acknowledgedKey)
  deleteDatabase('daymark-presses')
  // Prerendering, and pages without HTTPS, have no workers.
  const registering = globalThis.navigator?.serviceWorker?.getRegistration()
  if (!registering) return
  const end = async () => {
    const registration = await registering
    const close = async () => {
      for (const notification of (await registration?.getNotifications?.()) ?? []) notification.close()
    }
    // First, because the end of the subscription may need a network.
    await close()
    await (await registration?.pushManager?.getSubscription())?.unsubscribe()
    await close()
  }
  remindersEnd = Promise.race([
    end().catch(console.warn),
    new Promise((resolve) => setTimeout(resolve, longestEnd)),
  ])
}

export function keepReminded(endpoint: string): void {
  localStorage.setItem(remindedKey, ownAccount() ?? '')
  localStorage.setItem(acknowledgedKey, endpoint)
}

export function storeToken(token: string, email: string): void {
  const reminded = localStorage.getItem(remindedKey)
  // A logout without a network may have left reminders of another account.
  if (reminded === null || !token.startsWith(reminded)) endReminders()
  // Undo steps and places of another account.
  if (!localStorage.getItem(personKey)?.startsWith(`${token.slice(0, accountLength)} `)) {
    const intent = sessionStorage.getItem(intentKey)
    forgetTab()
    // The intent of a visitor stays.
    if (intent && !intent.includes('"account":')) sessionStorage.setItem(intentKey, intent)
  }
  // The server knows of no subscription of the new session.
  localStorage.removeItem(acknowledgedKey)
  localStorage.setItem(tokenKey, token)
  localStorage.setItem(personKey, `${storedAccount()} ${email}`)
}

/** Removes a rejected token. Drafts stay for the next session of the account. */
export function removeToken(): void {
  isEndedByServer = true
  const account = storedAccount()
  const isKnown = localStorage.getItem(personKey)?.startsWith(`${account} `)
  // Sessions of earlier builds have no email.
  if (account !== undefined && !isKnown) localStorage.setItem(personKey, `${account} `)
  localStorage.removeItem(tokenKey)
}

/** The server has ended the session of this page. Drafts stay, unless the account was deleted. */
export function endByServer(isGone = false): void {
  emptyDevice()
  if (!isGone) {
    // A public page stays as it is.
    if (dashboardToken === undefined) return
    removeToken()
    window.dispatchEvent(new Event(sessionEnded))
    return
  }
  endReminders()
  forgetAccount()
  if (dashboardToken !== undefined) leaveFor('/login')
}

/** Removes everything of this page's account. Data of other accounts stays. */
function forgetAccount() {
  forgetTab()
  const account = ownAccount()
  if (account)
    for (const key of Object.keys(localStorage))
      if ((key + localStorage.getItem(key)).includes(account)) localStorage.removeItem(key)
}

/** The email of the session that the server has ended; undefined if it has ended none, `''` if the email is unknown. */
export function endedEmail(): string | undefined {
  return storedToken() === null ? localStorage.getItem(personKey)?.slice(accountLength + 1) : undefined
}

export const hasSessionEnded = (): boolean => endedEmail() !== undefined

const forgetTab = (): void => sessionStorage.clear()

export function endSession(): void {
  endReminders()
  forgetTab()
  localStorage.clear()
  emptyDevice()
}

export const deviceDatabase = 'daymark'

/** Pages that have the database open close it. */
export const emptyDevice = (): void => deleteDatabase(deviceDatabase)

function deleteDatabase(name: string): void {
  try {
    globalThis.indexedDB?.deleteDatabase(name)
  } catch {
    // The browser blocks storage, so there is none.
  }
}

/** Whether this page may send nothing more: its session has ended or was replaced, also in another tab. */
export const isSessionOver = (): boolean =>
  destination !== undefined || (dashboardToken !== undefined && storedToken() !== dashboardToken)

/** Keeps a value until a logout, or removes it. Nothing is kept without a session, after its end, or in a full storage. */
export function keepInBrowser(key: string, value: unknown): void {
  if (isSessionOver() || ownAccount() === undefined) return
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(value))
  } catch (error) {
    console.warn('A value could not be kept in this browser.', error)
  }
}

/** Replaces this page, which ends all of its timers, listeners and calls. */
export function loadInstead(path: string): void {
  const load = () => location.replace(path)
  // Before `load`, the browser would report the load of this page as failed.
  if (document.readyState === 'complete') load()
  else window.addEventListener('load', () => setTimeout(load), { once: true })
}

/** Loads another document at the end of the session. Nothing more is sent until then. */
export function leaveFor(path: string): void {
  destination ??= path
  const load = () => loadInstead(destination ?? path)
  if (remindersEnd) remindersEnd.then(load)
  else load()
}

export const showsLogin = (): boolean => isEndedByServer && destination === undefined

/** Leaves a session that is over, unless the login is shown. Stays pending, because its caller belongs to the session. */
export function leaveSession(): Promise<never> {
  if (!showsLogin()) {
    const isSignedIn = storedToken() !== null
    const hasEnded = hasSessionEnded()
    // Removes what this tab has stored since. After an end by the server, unsent texts wait for a login.
    if (!isSignedIn && !hasEnded) forgetAccount()
    else if (storedAccount() !== ownAccount()) forgetTab()
    leaveFor(isSignedIn ? '/dashboard' : hasEnded ? '/login' : '/')
  }
  return new Promise(() => {})
}

/** The stored JSON value; undefined if there is none, or the text is no JSON. */
export function storedValue<Value>(storage: Storage, key: string): Value | undefined {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
