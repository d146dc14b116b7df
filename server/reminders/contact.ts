import { isIP } from 'node:net'
import type { Config } from '../config.ts'

type Contact = Pick<Config, 'contact' | 'publicUrl'>

/** The contact that messages name to push services (RFC 8292). */
export const contactOf = ({ contact, publicUrl }: Contact) =>
  contact !== undefined ? `mailto:${contact}` : (publicUrl?.origin ?? 'mailto:daymark@localhost')

/** Whether Apple accepts the contact: it refuses one whose host has no public name. */
export function reachesApple({ contact, publicUrl }: Contact): boolean {
  const host = contact !== undefined ? (contact.split('@')[1] ?? '') : (publicUrl?.hostname ?? '')
  return host.includes('.') && !isIP(host) && !/\.(?:local|localhost|internal|invalid|test)$/.test(host)
}
