import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** Every request asks for its network, and most come from few addresses. */
const known = new LRUCache<string, string>({ max: 10_000 })

/** One customer of an internet provider: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  let network = known.get(address)
  if (network === undefined) {
    network = prefixOf(address, 8)
    known.set(address, network)
  }
  return network
}

/**
 * What one attacker may hold at no cost: an IPv4 address, or the first 48 bits of an IPv6 address. A free tunnel comes
 * with 65,536 networks of 64 bits.
 */
export const siteOf = (address: string): string => prefixOf(address, 6)

/** An IPv4 address, or the first bytes of an IPv6 address; what is no address stays as it is. */
function prefixOf(address: string, bytes: number): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, bytes).join('.')
}
