import type { Rate } from '../environment.ts'
import { networkOf } from '../http/network.ts'
import type { Policy, Subject } from './attempts.ts'

const minute = 60_000

/** Failed logins from one address: an office behind it shares them, so it is only held up for the minute. */
const fromAddress: Policy = { name: 'login address', most: 20, window: minute }

/** Failed logins to one account, whoever makes them: each further one waits longer, and none waits for ever. */
const toAccount: Policy = {
  name: 'login account',
  most: 10,
  window: 15 * minute,
  wait: (count) => Math.min(5000 * 2 ** (count - 10), 5 * minute),
}

export const loginSubjects = (address: string, email: string): Subject[] => [
  { policy: fromAddress, of: networkOf(address) },
  { policy: toAccount, of: email },
]

/** Guesses at the current password by somebody who holds a session count like failed logins to its account. */
export const passwordSubjects = (userId: string): Subject[] => [{ policy: toAccount, of: userId }]

export const signupSubjects = (address: string, { max, seconds }: Rate): Subject[] => [
  { policy: { name: 'signup address', most: max, window: seconds * 1000 }, of: networkOf(address) },
]

/** Milliseconds after which no policy looks at an attempt any more. */
export const longestWindow = (signup: Rate | undefined) =>
  Math.max(toAccount.window, (signup?.seconds ?? 0) * 1000)
