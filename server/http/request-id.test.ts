import { expect, test } from 'vitest'
import { listen, rawRequest } from '../testing/raw-client.ts'
import { serverForAll } from '../testing/test-server.ts'

const made = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
const server = serverForAll('sqlite', { TRUSTED_PROXIES: '10.0.0.0/8' })

async function idFor(url: string, given?: string, remoteAddress = '10.0.0.1') {
  const headers = given === undefined ? {} : { 'x-request-id': given }
  return (await server.app.inject({ url, remoteAddress, headers })).headers['x-request-id']
}

test.each(['/', '/livez', '/api/v1/list/getLatestTasks', '/api/v1/nothing', '/%ZZ'])(
  'the response to %s has the X-Request-Id of a trusted proxy',
  async (url) => {
    expect(await idFor(url, '7f3a-1:b=2')).toBe('7f3a-1:b=2')
    expect(await idFor(url, '::ffff', '::ffff:10.0.0.1')).toBe('::ffff')
  },
)

test.each([
  ['from another client', 'own', '203.0.113.7'],
  ['with a line break', 'a\nb', undefined],
  ['that is too long', 'a'.repeat(129), undefined],
  ['that is empty', '', undefined],
  ['that is missing', undefined, undefined],
])('an X-Request-Id %s is replaced by a new one', async (_, given, address) => {
  expect(await idFor('/livez', given, address)).toMatch(made)
})

test('a request that Node rejects gets an id too', async () => {
  const { headers } = await rawRequest(await listen(server.app), 'what is this?\r\n\r\n')
  expect(headers['x-request-id']).toMatch(made)
})
