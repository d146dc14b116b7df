import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** Every request needs its network, and most requests come from few addresses. */
const known = new LRUCache<string, string>({ max: 10_000 })

/** Returns the network of one customer of an internet provider: an IPv4 address or an IPv6 /64. */
export function networkOf(address: string): string {
  let network = known.get(address)
  if (network === undefined) {
    network = prefixOf(address, 8)
    known.set(address, network)
  }
  return network
}

/**
 * Returns the network that one attacker can get for free: an IPv4 address or an IPv6 /48, because a free tunnel includes
 * 65,536 /64 networks.
 */
export const siteOf = (address: string): string => prefixOf(address, 6)

/** Returns an IPv4 address, the first bytes of an IPv6 address, or any other text unchanged. */
function prefixOf(address: string, bytes: number): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, bytes).join('.')
}
