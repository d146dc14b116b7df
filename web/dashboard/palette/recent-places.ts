import { isSessionOver, ownAccount } from '../../api/session.ts'

/** The most places that are kept. */
const mostRecent = 5

/** With the account, so that another one that is used in this browser does not see them. A logout removes them. */
const keyNow = () => `places ${ownAccount()} recent`

/** The ids of the views, tags, tasks and notes that were chosen last in the palette, newest first. */
export function recentPlaces(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyNow()) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
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
