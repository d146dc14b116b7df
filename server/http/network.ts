import { BlockList, isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { Groups } from '../turns/turns.ts'

/** Every request needs its network, and most requests come from few addresses. */
const cached = (bytes: number) =>
  new LRUCache<string, string>({ max: 10_000, memoMethod: (address) => prefixOf(address, bytes) })
const [networks, sites] = [cached(8), cached(6)]

/** Returns the network of one customer of an internet provider: an IPv4 address or an IPv6 /64. */
export const networkOf = (address: string): string => networks.memo(address)

/**
 * Returns the network that one attacker can get for free: an IPv4 address or an IPv6 /48, because a free tunnel includes
 * 65,536 /64 networks.
 */
export const siteOf = (address: string): string => sites.memo(address)

/** The groups of a client's work that take turns: those of its site, and in it `own`. */
export const groupsOf = (address: string, own: string): Groups => ['clients', siteOf(address), own]

/** Some proxies send the client's port too: `203.0.113.7:4711`, `[2001:db8::7]:4711`. */
const withoutPort = (address: string): string =>
  address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[([\da-f:.]+)\](:\d+)?$/i, '$1')

/** Returns an IPv4 address, the first bytes of an IPv6 address, or any other text unchanged. */
function prefixOf(text: string, bytes: number): string {
  const address = withoutPort(text)
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, bytes).join('.')
}

/** Returns whether a host name, without its port, is one of the loopback interface. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || (ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback')
}

/** Returns a function that returns whether an address is in one of the networks, such as `10.0.0.0/8`. */
export function inNetworks(networks: string[]): (address: string) => boolean {
  const list = new BlockList()
  const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    if (prefix === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(prefix), familyOf(address))
  }
  // A proxy may send any text as an address.
  return (text) => {
    const address = withoutPort(text)
    return isIP(address) > 0 && list.check(address, familyOf(address))
  }
}
