import type { Rate } from '../environment.ts'

/** A limit of attempts. The window starts with the first attempt. */
export type Policy = {
  name: string
  max: number
  /** The time in milliseconds after which the count is reset. */
  window: number
  /** Returns the milliseconds to wait after the last attempt, from the number of attempts above `max`. By default, until the end of the window. */
  wait?: (beyond: number) => number
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Accounts with failed logins from one network. If they are more than 100, only accounts that know the network are let in. */
export const fromNetwork: Policy = { name: 'login network', max: 101, window: 15 * minute }

/** The same for a network in OFFICE_NETWORKS. */
export const fromOffice: Policy = { ...fromNetwork, max: 10_001 }

/** Failed logins to one account from one site. The wait doubles with each one, up to a maximum. */
export const fromSite: Policy = {
  name: 'login site',
  max: 10,
  window: hour,
  wait: (beyond) => Math.min(5 * second * 2 ** beyond, 5 * minute),
}

/** Failed logins to one account from all unknown sites. Above this number the account is under attack. */
export const toAccount: Policy = { name: 'login account', max: 30, window: hour }

/**
 * Applies to the count of `fromSite`, for an unknown site while the account is under attack. The wait before the first
 * attempt starts with the site's first request, and attempts from other sites do not extend it, so nobody can lock the
 * owner out.
 */
export const fromUnknownSite: Policy = {
  ...fromSite,
  max: 0,
  wait: (beyond) => Math.min(30 * second * 2 ** beyond, 15 * minute),
}

/** A site from which the owner has logged in. `sweepAttempts` keeps rows with the prefix "known" for longer. */
export const knownSite: Policy = { name: 'known site', max: 1, window: 30 * day }

/** Limits the new known sites of one account, so that its owner cannot fill the table. */
export const knownSites: Policy = { name: 'known sites', max: 32, window: 30 * day }

/** The age in milliseconds at which a login renews the row of a known site. */
export const renewedEvery = day

export const signups = ({ max, seconds }: Rate): Policy => ({
  name: 'signup address',
  max,
  window: seconds * second,
})

/** Returns the longest window in milliseconds, except for known sites. */
export const longestWindow = (signup: { seconds: number }) => Math.max(hour, signup.seconds * second)
