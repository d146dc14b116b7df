import type { LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import { publicLookup } from './push-requests.ts'

const addressesOf = (host: string, found: string[], added: string[] = []) =>
  new Promise<string | string[]>((resolve) => {
    const addresses = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    publicLookup(added, (_host, _options, done) => done(null, addresses))(
      host,
      { all: true },
      (error, shown) =>
        resolve(error ? error.message : (shown as LookupAddress[]).map(({ address }) => address)),
    )
  })

test.each(
  `
    127.0.0.1 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 255.255.255.255
    ::1 :: fd00::1 fe80::1 ::ffff:127.0.0.1 ::ffff:169.254.169.254 ::ffff:a00:1 ::127.0.0.1
    64:ff9b::7f00:1 2002:7f00:1:: fec0::1 2001:db8::1 192.0.2.1 198.18.0.1 240.0.0.1
  `
    .trim()
    .split(/\s+/),
)('a push service that the DNS places at %s is not connected to', async (address) => {
  expect(await addressesOf('fcm.googleapis.com', [address])).toBe('fcm.googleapis.com has no public address')
})

test('of several addresses only the public ones are used, and those of a host that the operator has added all', async () => {
  const found = ['10.0.0.1', '142.250.1.95', '2a00:1450:4001::5f']
  expect(await addressesOf('fcm.googleapis.com', found)).toEqual(found.slice(1))
  expect(await addressesOf('push.example.org', found, ['push.example.org'])).toEqual(found)
})
