import { beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { apiBase, changesPerCall } from '#contract/limits.ts'
import { validatorCompiler } from '../http/validation.ts'
import { fieldErrorOf } from '../testing/field-error.ts'
import { bearer, gets, listen, openRawClient } from '../testing/raw-client.ts'
import { serverForAll, userForAll } from '../testing/test-server.ts'

const filled = (field: string, item: string, items: number) =>
  `{"${field}":[${item}${`,${item}`.repeat(items - 1)}]}`

// The checks before a call do not depend on the engine.
describe('a body', () => {
  const server = serverForAll('sqlite')
  const user = userForAll(server)
  beforeAll(() => listen(server.app))

  test.each([
    ['POST /changes', 'changes', '{}'],
    ['POST /items/purge', 'items', '0'],
  ] as const)('of 9,000 items for %s has those of one call checked alone', async (endpoint, field, item) => {
    const schema = api[endpoint].body
    const validate = validatorCompiler({ schema, method: 'POST', url: '', httpPart: 'body' })
    expect(validate(JSON.parse(filled(field, item, 9000)))).toBe(false)
    const checks = Object(validate).errors.length
    expect([checks > changesPerCall, checks <= 1 + 3 * changesPerCall]).toEqual([true, true])

    const { status, text, json } = await user.call(endpoint, { body: filled(field, item, 9000) })
    expect([status, json.errors?.[0], json.errors?.length]).toEqual([
      400,
      { field, code: 'too-many', params: { max: 200 }, message: 'must have at most 200 entries' },
      20,
    ])
    expect(json.detail).toMatch(/; \d+ more fields are not valid$/)
    expect(text.length).toBeLessThan(10_000)
  })

  test.each([
    ['levels', '['.repeat(100_000)],
    ['levels', '{"a":'.repeat(33)],
    ['keys', `{"":[${'{"":{"":0}},'.repeat(3400)}0]}`],
    ['entries', filled('changes', '{}', 349_000)],
  ])('with too many %s is not parsed', async (_, body) => {
    const message = 'must have at most 32 levels, and 10,000 keys and entries'
    expect(fieldErrorOf(await user.call('POST /changes', { body }))).toEqual([400, 'request body', message])
  })

  test('in very many chunks is not read to its end', async () => {
    const client = await openRawClient(server.app)
    const more = `${bearer(user)}content-type: application/json\r\ntransfer-encoding: chunked\r\n`
    const request = gets(`${apiBase}/changes`, 1, more).replace('GET', 'POST')
    expect(await client.ask(request + '1\r\n \r\n'.repeat(10_001))).toEqual([400])
  })

  test('with texts of brackets, colons and quotation marks is stored', async () => {
    const body = '{"[:\\'.repeat(10_000)
    expect((await user.addTask({ body })).body).toBe(body)
  })

  test('is not read without a session', async () => {
    const client = await openRawClient(server.app)
    const more = 'content-type: application/json\r\ncontent-length: 1000000\r\n'
    // The body never comes.
    expect(await client.ask(gets(`${apiBase}/changes`, 1, more).replace('GET', 'POST'))).toEqual([401])
    for (const endpoint of ['POST /user/login', 'POST /user/logout', 'POST /unknown']) {
      const answer = await server.call(endpoint, { body: filled('changes', '{}', 9000) })
      expect(fieldErrorOf(answer)).toEqual([413, 'request body', 'is larger than this call accepts'])
    }
  })
})
