import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

type Resolve = (
  host: string,
  options: { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

const isPublic = ({ address }: LookupAddress) => ipaddr.process(address).range() === 'unicast'

/**
 * Returns a lookup for connections that leads to public addresses only, except for hosts that the operator has added. The connection
 * uses the address that was checked, so that a second answer of the DNS changes nothing.
 */
export function publicLookup(added: readonly string[], resolve: Resolve = lookup): LookupFunction {
  return (host, options, done) => {
    resolve(host, { all: true }, (error, found) => {
      if (error) return done(error, [])
      const addresses = added.includes(host) ? found : found.filter(isPublic)
      const [first] = addresses
      if (!first) return done(new Error(`${host} has no public address`), [])
      if (options.all) return done(null, addresses)
      done(null, first.address, first.family)
    })
  }
}
