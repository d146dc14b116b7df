import { tokenKey } from '#contract/limits.ts'

/** The token with which this page has opened a dashboard, or null without one. Undefined as long as it has shown none. */
let dashboardToken: string | null | undefined

/** The document that is loading in place of this page. */
let destination: string | undefined

/** Whether the server has ended the session of this page's dashboard, after which the login is shown in the same document. */
let isEndedByServer = false

/** The token of the person signed in here, if there is one (specification section 3, Session). */
export const storedToken = (): string | null => localStorage.getItem(tokenKey)

/** The leading characters of a token, which are the same for all sessions of a user. */
const accountLength = 21

/** The part of the token that all sessions of the signed-in user share; it does not reveal the token. */
export const storedAccount = (): string | undefined => storedToken()?.slice(0, accountLength)

/**
 * The account of this page's dashboard, even if another tab has logged out or in since; of the signed-in user as long as the page has
 * shown none. Everything that a dashboard keeps is kept for this account.
 */
export const ownAccount = (): string | undefined =>
  dashboardToken === undefined ? storedAccount() : dashboardToken?.slice(0, accountLength)

/**
 * Binds this page to the session that is stored now, for as long as the page exists. Returns whether the page may show a
 * dashboard. If another session is stored, its dashboard is loaded anew, because this page still has the data of the earlier
 * session.
 */
export function beginDashboard(): boolean {
  // The prerendered page has no storage.
  if (typeof document === 'undefined') return true
  if (dashboardToken === undefined) dashboardToken = storedToken()
  const isOver = isSessionOver()
  // Back may lead to an address of another person, which can have the words of a search.
  const marked = globalThis.navigation?.currentEntry?.getState() ?? globalThis.history?.state
  const account = (marked as { account?: string } | null | undefined)?.account
  const isOfOther = account !== undefined && account !== storedAccount()
  if (!isOver && !isOfOther) return true
  if (isOfOther) history.replaceState(null, '', '/dashboard')
  leaveFor(location.pathname + location.search)
  return false
}

/** The local storage key of who was signed in last: the account and the email, which stay until a logout. */
const personKey = 'person'

/** The local storage key of the account of which this browser shows reminders while the page is closed. */
export const remindedKey = 'reminded'

/** The event of a window when the server has ended the session of its dashboard. */
export const sessionEnded = 'session ended'

/** The session storage key of the note that a person wants to write, see `note-intent.ts`. */
export const intentKey = 'writesNote'

/** The local storage key of the endpoint that the server has acknowledged for the session. */
export const acknowledgedKey = 'reminded at'

/** Resolves when the browser has ended the reminders of an earlier session. Until then, no other document is loaded. */
let remindersEnd: Promise<unknown> | undefined

/** In milliseconds: how long the end of a session waits for a browser that does not end its subscription. */
const longestEnd = 2000

/** Ends the reminders of an account in this browser. The server sends it none from the end of the session on, but one may be on its way. */
function endReminders(): void {
  localStorage.removeItem(remindedKey)
  localStorage.removeItem(acknowledgedKey)
  deleteDatabase('daymark-presses')
  // The prerendered page and one without HTTPS have no workers.
  const registering = globalThis.navigator?.serviceWorker?.getRegistration()
  if (!registering) return
  const end = async () => {
    const registration = await registering
    const close = async () => {
      for (const notification of (await registration?.getNotifications?.()) ?? []) notification.close()
    }
    // First: the end of the subscription may need a network.
    await close()
    await (await registration?.pushManager?.getSubscription())?.unsubscribe()
    await close()
  }
  remindersEnd = Promise.race([
    end().catch(console.warn),
    new Promise((resolve) => setTimeout(resolve, longestEnd)),
  ])
}

/** Keeps that the server sends the reminders of the account to this browser, at this endpoint. */
export function keepReminded(endpoint: string): void {
  localStorage.setItem(remindedKey, ownAccount() ?? '')
  localStorage.setItem(acknowledgedKey, endpoint)
}

/** Stores the token of a login. */
export function storeToken(token: string, email: string): void {
  const reminded = localStorage.getItem(remindedKey)
  // A logout without a network may have left what belongs to the account before.
  if (reminded === null || !token.startsWith(reminded)) endReminders()
  // The steps of undo and the places of another account in this tab.
  if (!localStorage.getItem(personKey)?.startsWith(`${token.slice(0, accountLength)} `)) {
    const intent = sessionStorage.getItem(intentKey)
    forgetTab()
    // What a visitor wants stays.
    if (intent && !intent.includes('"account":')) sessionStorage.setItem(intentKey, intent)
  }
  // The server knows of no subscription of the new session.
  localStorage.removeItem(acknowledgedKey)
  localStorage.setItem(tokenKey, token)
  localStorage.setItem(personKey, `${storedAccount()} ${email}`)
}

/** Removes a token that the server rejects. Drafts stay, for the next session of the same account. */
export function removeToken(): void {
  isEndedByServer = true
  const account = storedAccount()
  const isKnown = localStorage.getItem(personKey)?.startsWith(`${account} `)
  // Of a session that an earlier build has stored, the email is not known.
  if (account !== undefined && !isKnown) localStorage.setItem(personKey, `${account} `)
  localStorage.removeItem(tokenKey)
}

/**
 * The server has ended the session of this page. Drafts stay for the next session of the same account. Of a deleted account nothing
 * stays, because nobody can log in to it again.
 */
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
  // A public page stays.
  if (dashboardToken !== undefined) leaveFor('/login')
}

/** Removes all that names the account of this page. What is kept for other accounts stays. */
function forgetAccount() {
  forgetTab()
  const account = ownAccount()
  if (account)
    for (const key of Object.keys(localStorage))
      if ((key + localStorage.getItem(key)).includes(account)) localStorage.removeItem(key)
}

/** The email of the person whose session the server has ended in this browser; undefined if it has ended none, `''` if it is not known. */
export function endedEmail(): string | undefined {
  return storedToken() === null ? localStorage.getItem(personKey)?.slice(accountLength + 1) : undefined
}

/** Whether the server has ended the session that was open in this browser. */
export const hasSessionEnded = (): boolean => endedEmail() !== undefined

/** Removes the data of the session that only this tab has. */
const forgetTab = (): void => sessionStorage.clear()

/** Removes the session and all other data that the browser keeps for it. */
export function endSession(): void {
  endReminders()
  forgetTab()
  localStorage.clear()
  emptyDevice()
}

/** The name of the database in which this device keeps tasks and notes of the account. */
export const deviceDatabase = 'daymark'

/** Deletes the database of this device. Pages that have it open close it. */
export const emptyDevice = (): void => deleteDatabase(deviceDatabase)

function deleteDatabase(name: string): void {
  try {
    globalThis.indexedDB?.deleteDatabase(name)
  } catch {
    // A browser that blocks storage has stored nothing.
  }
}

/** Whether this page may send nothing more: the session of its dashboard has ended or was replaced, also in another tab. */
export const isSessionOver = (): boolean =>
  destination !== undefined || (dashboardToken !== undefined && storedToken() !== dashboardToken)

/** Keeps a value in this browser until a logout, or removes it. Without a session, and after its end, nothing is kept; nor is it in a full storage. */
export function keepInBrowser(key: string, value: unknown): void {
  if (isSessionOver() || ownAccount() === undefined) return
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(value))
  } catch (error) {
    console.warn('A value could not be kept in this browser.', error)
  }
}

/** Loads another document in place of this page, with which all its documents, timers, listeners and calls end. */
export function loadInstead(path: string): void {
  const load = () => location.replace(path)
  // Otherwise the browser would report the load of this page as failed to who asked for it.
  if (document.readyState === 'complete') load()
  else window.addEventListener('load', () => setTimeout(load), { once: true })
}

/** Loads another document at the end of the session. Until then this page sends nothing more. */
export function leaveFor(path: string): void {
  destination ??= path
  const load = () => loadInstead(destination ?? path)
  if (remindersEnd) remindersEnd.then(load)
  else load()
}

/** Whether the login is shown in this document, because the server has ended the session of its dashboard. */
export const showsLogin = (): boolean => isEndedByServer && destination === undefined

/**
 * Leaves the session that is over: for the dashboard of another one, if its token is stored. A page that shows the login stays. Stays
 * pending, because what has called it belongs to the session.
 */
export function leaveSession(): Promise<never> {
  if (!showsLogin()) {
    const isSignedIn = storedToken() !== null
    const hasEnded = hasSessionEnded()
    // What this tab has stored since. Unsent texts wait for a login if the server has ended the session.
    if (!isSignedIn && !hasEnded) forgetAccount()
    else if (storedAccount() !== ownAccount()) forgetTab()
    leaveFor(isSignedIn ? '/dashboard' : hasEnded ? '/login' : '/')
  }
  return new Promise(() => {})
}
