import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { api, type Endpoint } from '#contract/api.ts'
import type { Access, Calls } from '#contract/calls.ts'
import { apiBase } from '#contract/limits.ts'
import { parseReminders, reminderLimits } from '#contract/reminder-times.ts'
import { formatRule, parseRule } from '#contract/repeat-rules.ts'
import { forAll } from '../testing/made-for-tests.ts'
import { serverForAll } from '../testing/test-server.ts'
import { patterns } from './documented-patterns.ts'
import { formats } from './validation.ts'

type Operation = {
  security?: object[]
  'x-access': Access
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: Record<string, { schema: { required?: string[] }; example?: object }> }
  operationId: string
  responses: Record<string, { description: string; content?: Record<string, unknown>; links?: Links }>
}
type Links = Record<string, { operationId: string; parameters: Record<string, string> }>
type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Record<string, unknown>; schemas: Record<string, unknown> }
}

const server = serverForAll('sqlite')
const document = forAll<Document>(async () => JSON.parse((await server.call('GET /openapi.json')).text))

const endpoints = Object.keys(api) as Endpoint[]

function operationOf(endpoint: Endpoint): Operation | undefined {
  const [method = '', path = ''] = endpoint.split(' ')
  return document.paths[apiBase + path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
}

test('the document is OpenAPI 3.1, with a bearer token, the parameters and the required fields', async () => {
  expect((await server.call('GET /openapi.json')).headers['content-type']).toMatch(/^application\/json/)
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(document.components.securitySchemes).toEqual({ bearer: { type: 'http', scheme: 'bearer' } })
  const namesOf = (endpoint: Endpoint) =>
    operationOf(endpoint)?.parameters?.map((parameter) => `${parameter.in} ${parameter.name}`)
  expect(namesOf('PUT /list/updateTask/:id')).toEqual(['path id', 'header if-match'])
  expect(namesOf('GET /list/getLatestTasks')?.sort()).toEqual(['query cursor', 'query limit'])
  expect(namesOf('GET /list/getTodayTasks')).toContain('header time-zone')
  const schema = operationOf('POST /list/addTask')?.requestBody?.content['application/json']?.schema
  expect(schema?.required?.toSorted()).toEqual(['dueDate', 'priority', 'title'])
})

test.each(endpoints)('%s is described, with its responses for success and errors', (endpoint) => {
  const { responses } = operationOf(endpoint) ?? {}
  const call: Calls[string] = api[endpoint]
  const mediaType = call.mediaType ?? 'application/json'
  expect(responses?.[200]?.content).toHaveProperty([mediaType, 'schema'])
  for (const status of [400, 429, 500, 503])
    expect(responses?.[status]?.content).toHaveProperty(['application/problem+json', 'schema'])
})

test('only the calls of the contract are described', () => {
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const inContract = endpoints.map((endpoint) =>
    endpoint.replace(' ', ` ${apiBase}`).replace(/:(\w+)/g, '{$1}'),
  )
  expect(described.sort()).toEqual(inContract.sort())
})

test.each(endpoints)('%s is documented as requiring a token if and only if it does', async (endpoint) => {
  const { status } = await server.call(endpoint.replace(':id', '01a1fbec-df28-741d-85d9-08c2d1fcac18'))
  // Without one, the specified answer is a 403.
  const security = endpoint === 'GET /user/validate' ? [{ bearer: [] }, {}] : [{ bearer: [] }]
  const needsToken = status === (security.length > 1 ? 403 : 401)
  expect(operationOf(endpoint)?.security ?? []).toEqual(needsToken ? security : [])
  expect(operationOf(endpoint)?.['x-access']).toBe(api[endpoint].access)
})

test('each call names the statuses that it can answer, and a 400 the codes of its errors', () => {
  const responsesOf = (endpoint: Endpoint) => operationOf(endpoint)?.responses ?? {}
  const statuses = (endpoint: Endpoint) => Object.keys(responsesOf(endpoint)).join(' ')
  expect(statuses('GET /tasks/:id')).toBe('200 400 401 403 404 408 421 429 431 500 503')
  expect(statuses('GET /user/validate')).toBe('200 400 403 408 421 429 431 500 503')
  expect(statuses('POST /user/register')).toBe('200 400 403 408 409 413 415 421 429 431 500 503 507')
  expect(statuses('PUT /list/updateTask/:id')).toBe(
    '200 400 401 403 404 408 409 413 415 421 429 431 500 503 507',
  )
  for (const code of ['required', 'blank', 'not-a-day', 'not-text', 'not-an-option', 'unreadable'])
    expect(responsesOf('POST /list/addTask')[400]?.description).toContain(`\`${code}\``)
  expect(responsesOf('POST /changes')[400]?.description).toContain('`other-kind`')
})

test('links lead from a created item to the calls that take its id', () => {
  const names = new Map(endpoints.map((endpoint) => [operationOf(endpoint)?.operationId, endpoint]))
  const linked = Object.values(operationOf('POST /list/addTask')?.responses[200]?.links ?? {})
  expect(linked.map(({ operationId, parameters }) => [names.get(operationId), parameters])).toEqual([
    ['GET /tasks/:id', { id: '$response.body#/task/_id' }],
    ['PUT /list/updateTask/:id', { id: '$response.body#/task/_id' }],
    ['DELETE /list/deleteTask/:id', { id: '$response.body#/task/_id' }],
    ['POST /changes/:seq/undo', { seq: '$response.body#/task/version' }],
  ])
  expect(names.size).toBe(endpoints.length)
})

test('the documented patterns match the values that the server accepts', () => {
  const samples = {
    day: ['1969-12-31', '2000-02-29', '2026-02-29', '2026-06-31', '2100-02-29', '2200-12-31', '2201-01-01'],
    email: ['ada@example.org', 'ada', 'a b@c', 'a@b@c', 'a\0@b'],
    uuid: ['01a1fbec-df28-741d-85d9-08c2d1fcac18', '01A1FBEC-DF28-741D-85D9-08C2D1FCAC18', ''],
    version: ['"17"', '17', '"17', '"x"', '"1234567890123456"'],
    text: ['', 'a\nb', 'a\0b'],
    name: ['', 'Zoë 👩‍👩‍👧', 'a\nb', 'a\u2028b', 'a\u009bb', 'a\0b'],
  }
  for (const [format, texts] of Object.entries(samples)) {
    const documented = new RegExp(patterns[format] ?? '')
    expect(texts.filter((text) => documented.test(text) !== formats[format]?.matches(text))).toEqual([])
  }
  expect(JSON.stringify(document)).not.toMatch(/"documented"|"format":"(text|day|version|time-zone|email)"/)
})

test('each documented time zone is accepted', () => {
  const { enum: zones } = document.components.schemas.TimeZone as { enum: string[] }
  expect(zones).toEqual(expect.arrayContaining(['Europe/Lisbon', 'UTC']))
  expect(zones.filter((zone) => !formats['time-zone']?.matches(zone))).toEqual([])
})

/** Joins some of these texts by a separator, so that many are nearly valid. */
const joined = (texts: string[], separator: string) =>
  fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 6 }).map((each) => each.join(separator))

test('the documented patterns of rules and reminders match no other text than the server accepts, and each in its usual spelling', () => {
  const numbers = ['0', '1', '-1', '7', '12', '13', '29', '31', '-31', '32', '53', '1000', '1001', '+1', '01']
  const lists = joined([...numbers, 'MO', 'TU', '2TU', '-1FR', '54MO'], ',')
  const values = fc.oneof(
    lists,
    fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', '20280229', '20270229', ''),
  )
  const names = ['INTERVAL', 'BYMONTH', 'BYMONTHDAY', 'BYDAY', 'BYSETPOS', 'COUNT', 'UNTIL', 'WKST', 'FREQ']
  const part = fc.tuple(fc.constantFrom(...names), values).map((pair) => pair.join('='))
  const rules = fc
    .tuple(fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'), fc.array(part, { maxLength: 3 }))
    .map(([freq, more]) => [`FREQ=${freq}`, ...more].join(';'))
  const times = ['10m', '0m', '10080m', '10081m', '1d19:00', '60d08:00', '61d08:00', '1d24:00', 'none', '']
  const days = ['2026-11-27T08:00', '2026-02-29T08:00', '0000-02-29T08:00', '1900-02-29T08:00', '2026-11-27']
  const seen = { repeat: 0, reminders: 0 }
  const check = (format: 'repeat' | 'reminders', text: string, usual: string | undefined) => {
    const matches = new RegExp(patterns[format] ?? '').test(text)
    if (matches) seen[format]++
    if (matches && !formats[format]?.matches(text)) throw new Error(`${text} is documented`)
    if (usual !== undefined && !new RegExp(patterns[format] ?? '').test(usual))
      throw new Error(`${usual} is not documented`)
  }
  const runs = { seed: 1, numRuns: 5000 }
  const ofRules = fc.property(rules, (text) => {
    const rule = parseRule(text)
    check('repeat', text, rule && formatRule(rule))
  })
  const ofReminders = fc.property(joined([...times, ...days], ' '), (text) => {
    const isRead = text.length <= reminderLimits.length && parseReminders(text)
    check('reminders', text, isRead ? text : undefined)
  })
  fc.assert(ofRules, runs)
  fc.assert(ofReminders, runs)
  expect([seen.repeat > 100, seen.reminders > 100]).toEqual([true, true])
})

test('each body has an example, which the server accepts', async () => {
  const user = await server.newUser()
  const withBody = endpoints.flatMap((endpoint) => {
    const { content } = operationOf(endpoint)?.requestBody ?? {}
    return content ? [{ endpoint, example: content['application/json']?.example }] : []
  })
  expect(withBody.length).toBeGreaterThan(5)
  for (const { endpoint, example } of withBody) {
    expect([endpoint, example]).toEqual([endpoint, expect.any(Object)])
    const { json } = await user.call(endpoint.replace(':id', randomUUID()), { body: example })
    const codes = json.errors?.map(({ code }: { code: string }) => code) ?? []
    // The password of the example is not this user's.
    expect([endpoint, codes.filter((code: string) => code !== 'wrong-password')]).toEqual([endpoint, []])
  }
})
