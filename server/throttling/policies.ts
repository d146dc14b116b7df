import type { Rate } from '../environment.ts'

/** How often something may be tried. Counting begins with the first try and ends with the window. */
export type Policy = {
  name: string
  max: number
  /** Milliseconds after which counting begins anew. */
  window: number
  /** Milliseconds to wait after the last try, for the number of tries beyond `max`. Without it the wait is for the end of the window. */
  wait?: (beyond: number) => number
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Failed and refused logins from one address: an office behind it shares them, so it waits for the minute alone. */
export const fromAddress: Policy = { name: 'login address', max: 20, window: minute }

/** Failed logins to one account from one site. Each further one waits longer, and every wait ends. */
export const fromSite: Policy = {
  name: 'login site',
  max: 10,
  window: hour,
  wait: (beyond) => Math.min(5 * second * 2 ** beyond, 5 * minute),
}

/** Failed logins to one account from all sites that it does not know. More than these mean that it is under attack. */
export const toAccount: Policy = { name: 'login account', max: 30, window: hour }

/**
 * The same count as `fromSite`, for a site that the account does not know while it is under attack. The wait before the
 * first try begins when the site first asks, and no try from elsewhere makes it longer: nobody can keep the owner out.
 */
export const fromUnknownSite: Policy = {
  ...fromSite,
  max: 0,
  wait: (beyond) => Math.min(30 * second * 2 ** beyond, 15 * minute),
}

/** A site from which the owner has signed in. The prefix "known" keeps its row longer: see `sweepAttempts`. */
export const knownSite: Policy = { name: 'known site', max: 1, window: 30 * day }

/** Sites that one account may get to know in that time, so that its owner cannot fill the table. */
export const knownSites: Policy = { name: 'known sites', max: 32, window: 30 * day }

/** How old a known site's row may grow before a login renews it. */
export const renewedEvery = day

export const signups = ({ max, seconds }: Rate): Policy => ({
  name: 'signup address',
  max,
  window: seconds * second,
})

/** Milliseconds after which no policy but those on known sites looks at a row any more. */
export const longestWindow = (signup: { seconds: number } | undefined) =>
  Math.max(hour, (signup?.seconds ?? 0) * second)
