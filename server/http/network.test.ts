import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { networks } from '../environment.ts'
import { inNetworks, networkOf, siteOf } from './network.ts'

describe('The network of a client', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:4711', '203.0.113.7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:DB8::7]:4711', '2001:db8::7'],
  ])('of %s is that of %s, whatever port a proxy adds', (address, same) => {
    expect([networkOf(address), siteOf(address)]).toEqual([networkOf(same), siteOf(same)])
    expect(inNetworks([same])(address)).toBe(true)
  })

  test('is the whole text if it is no address', () => {
    expect(networkOf('unknown:1')).toBe('unknown:1')
  })
})

test('A network that the configuration accepts is one that the server can use, and everyone is none', () => {
  for (const entry of ['0.0.0.0/0', '::/0', '10.0.0.0/00', '10.0.0.0/33', '10.0.0.1:80', 'all'])
    expect([entry, networks.read(entry)]).toEqual([entry, undefined])
  for (const entry of ['10.0.0.0/8', '10.0.0.1', '1.0.0.0/1', '::1', 'fd00::/8', '::ffff:10.0.0.0/104']) {
    expect(networks.read(entry)).toEqual([entry])
    expect(fastify({ trustProxy: inNetworks([entry]) })).toBeDefined()
  }
})

test('Behind proxies that send ports, the address is that of the client', async () => {
  const app = fastify({ trustProxy: inNetworks(['10.0.0.0/8']) })
  app.get('/', ({ ip }) => ip)
  const ask = async (header: string) =>
    (await app.inject({ url: '/', remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': header } })).body
  expect(networkOf(await ask('203.0.113.7:4711, 10.0.0.2:80'))).toBe('203.0.113.7')
  expect(networkOf(await ask('198.51.100.1, 203.0.113.7:4711'))).toBe('203.0.113.7')
})
