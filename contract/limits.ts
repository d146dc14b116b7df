/**
 * Numbers both sides agree on: specification section 9 and the design's limits.
 * Lengths are counted in Unicode code points. No import here, so the page may load this file at run time.
 */

/** Every call's path starts with this (specification section 7). */
export const apiBase = '/api/v1'

/** Where the page keeps the token in local storage (specification section 3). */
export const tokenKey = 'token'

export const nameLength = { min: 1, max: 100 }
export const emailLength = { max: 254 }
export const passwordLength = { min: 8, max: 256 }
export const titleLength = { min: 1, max: 500 }
export const bodyLength = { max: 100_000 }

/** Tasks in one answer of a list call. */
export const pageSize = { default: 50, max: 200 }

/** Bytes of the tasks in one answer of a list call, as JSON: a page ends here too. */
export const pageBytes = 1_048_576

/** Tasks one user may own. */
export const tasksPerUser = 100_000

/** Bytes of a request's body. */
export const requestBytes = { default: 1_048_576, credentials: 16_384 }
