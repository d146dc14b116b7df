import { afterAll, beforeAll, expect, test } from 'vitest'
import { api, type Endpoint } from '#contract/api.ts'
import { apiBase } from '#contract/limits.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

type Operation = {
  security?: object[]
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: Record<string, { schema: { required?: string[] } }> }
  responses: Record<string, { content?: Record<string, unknown> }>
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Record<string, unknown> }
}

let server: TestServer
let document: Document
beforeAll(async () => {
  server = await startTestServer('sqlite')
  document = JSON.parse((await server.call('GET /openapi.json')).text)
})
afterAll(() => server.close())

const endpoints = Object.keys(api) as Endpoint[]

function operationOf(endpoint: Endpoint): Operation | undefined {
  const [method = '', path = ''] = endpoint.split(' ')
  return document.paths[apiBase + path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
}

test('the document at /api/v1/openapi.json is OpenAPI 3.1', async () => {
  const { status, headers } = await server.call('GET /openapi.json')
  expect(status).toBe(200)
  expect(headers['content-type']).toMatch(/^application\/json/)
  expect(document.openapi).toMatch(/^3\.1\./)
})

test.each(endpoints)('%s is described, with its responses for success and errors', (endpoint) => {
  const { responses } = operationOf(endpoint) ?? {}
  const mediaType = endpoint === 'GET /changes/stream' ? 'text/event-stream' : 'application/json'
  expect(responses?.[200]?.content).toHaveProperty([mediaType, 'schema'])
  expect(responses?.['4XX']?.content).toHaveProperty(['application/problem+json', 'schema'])
  expect(responses?.['5XX']?.content).toHaveProperty(['application/problem+json', 'schema'])
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

test.each(endpoints)(
  '%s is documented as requiring a token if and only if it is rejected without one',
  async (endpoint) => {
    const { status } = await server.call(endpoint.replace(':id', '01a1fbec-df28-741d-85d9-08c2d1fcac18'))
    const needsToken = endpoint === 'GET /user/validate' ? status === 403 : status === 401
    expect(operationOf(endpoint)?.security ?? []).toEqual(needsToken ? [{ bearer: [] }] : [])
  },
)

test('the token is a bearer token', () => {
  expect(document.components.securitySchemes).toEqual({ bearer: { type: 'http', scheme: 'bearer' } })
})

test('path, query and header parameters are described', () => {
  const namesOf = (endpoint: Endpoint) =>
    operationOf(endpoint)?.parameters?.map((parameter) => `${parameter.in} ${parameter.name}`)
  expect(namesOf('PUT /list/updateTask/:id')).toEqual(['path id', 'header if-match'])
  expect(namesOf('GET /list/getLatestTasks')?.sort()).toEqual(['query cursor', 'query limit'])
  expect(namesOf('GET /list/getTodayTasks')).toContain('header time-zone')
})

test('the required fields of a body are described', () => {
  const schema = operationOf('POST /list/addTask')?.requestBody?.content['application/json']?.schema
  expect(schema?.required?.toSorted()).toEqual(['dueDate', 'priority', 'title'])
})
