import ipaddr from 'ipaddr.js'
import type { Rate } from '../environment.ts'
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

export const signupSubjects = (address: string, { most, seconds }: Rate): Subject[] => [
  { policy: { name: 'signup address', most, window: seconds * 1000 }, of: networkOf(address) },
]

/** Milliseconds after which no policy looks at an attempt any more. */
export const longestWindow = (signup: Rate | undefined) =>
  Math.max(toAccount.window, (signup?.seconds ?? 0) * 1000)

/** One customer of a network provider: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.')
}
