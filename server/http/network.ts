import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** Every request asks for its network, and most come from few addresses. */
const known = new LRUCache<string, string>({ max: 10_000 })

/** One customer of an internet provider: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  let network = known.get(address)
  if (network === undefined) {
    network = parse(address)
    known.set(address, network)
  }
  return network
}

function parse(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.')
}
