import { isSessionOver, ownAccount } from '../../api/session.ts'
import { storedValue } from '../../api/stored-value.ts'

/** The most places that are kept. */
const mostRecent = 5

/** With the account, so that another one that is used in this browser does not see them. A logout removes them. */
const keyNow = () => `places ${ownAccount()} recent`

/** The ids of the views, tags, tasks and notes that were chosen last in the palette, newest first. */
export function recentPlaces(): string[] {
  const kept = storedValue<unknown>(localStorage, keyNow())
  return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
}

export function keepRecentPlace(place: string): void {
  if (isSessionOver()) return
  const places = [place, ...recentPlaces().filter((id) => id !== place)].slice(0, mostRecent)
  try {
    localStorage.setItem(keyNow(), JSON.stringify(places))
  } catch (error) {
    // Without space in the browser, the palette begins with its commands.
    console.warn(error)
  }
}
