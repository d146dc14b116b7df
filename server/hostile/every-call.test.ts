import { randomUUID } from 'node:crypto'
import { Ajv } from 'ajv'
import { beforeAll, expect, test } from 'vitest'
import { api, type Endpoint } from '#contract/api.ts'
import type { Calls } from '#contract/calls.ts'
import { type FieldCode, fieldCodes } from '#contract/field-codes.ts'
import { apiBase } from '#contract/limits.ts'
import type { Problem } from '#contract/problem.ts'
import { type ProblemCode, problemCodes } from '#contract/problem-codes.ts'
import { newId } from '../new-id.ts'
import { hostileTexts, rawBodies } from '../testing/hostile-values.ts'
import type { Answer, Request } from '../testing/test-client.ts'
import { onEveryServer, type TestUser } from '../testing/test-server.ts'

type Operation = {
  parameters?: { name: string; in: string }[]
  requestBody?: { content: { 'application/json': { example: object } } }
  responses: Record<string, { description: string; content: Record<string, { schema: Narrowed }> }>
}
type Narrowed = { allOf: [object, { properties: { code: { enum: string[] } } }] }
type Document = { paths: Record<string, Record<string, Operation>> }

const endpoints = Object.keys(api) as Endpoint[]
const secret = 'Ada’s secret'

/** What a client sends in place of a value. */
const values = [
  ...[null, true, 0, -1, 2 ** 60, 0.5, [], [[]], {}, ['x']],
  ...['', ' ', '\0', '\ud800', 'x'.repeat(100_001)],
]

/** This body, and its copies in which one value is another one or is missing. */
function variantsOf(body: unknown): unknown[] {
  if (typeof body !== 'object' || body === null) return values
  const entries = Object.entries(body)
  const copies = entries.flatMap(([key, value], index) =>
    [undefined, ...variantsOf(value)].map((other) =>
      Array.isArray(body) ? body.with(index, other) : { ...body, [key]: other },
    ),
  )
  return [...values, ...copies, { ...body, more: 1 }]
}

/** This body with the text in place of each text in it. */
const withText = (body: object | undefined, text: string) =>
  JSON.parse(JSON.stringify(body), (_, value) => (typeof value === 'string' ? text : value))

const ajv = new Ajv({ allowUnionTypes: true })
const compile = (properties: object, required: string[]) =>
  ajv.compile({ type: 'object', additionalProperties: false, properties, required })

const ofProblems = new Map(
  Object.entries(problemCodes).map(([code, { params }]) => [code, compile(params, Object.keys(params))]),
)
const ofFields = new Map(Object.entries(fieldCodes).map(([code, params]) => [code, compile(params, [])]))

/** Checks that a problem document has nothing but a code, the parameters of this code, and the message that they make. */
function expectProblem(problem: Problem, status: number) {
  const { type, title, code, params = {}, detail, errors = [], ...rest } = problem
  expect(rest).toEqual({ status })
  expect([type, typeof title]).toEqual(['about:blank', 'string'])
  expect([code, params, ofProblems.get(code)?.(params)]).toEqual([code, params, true])
  if (errors.length === 0) expect(detail).toBe(problemCodes[code as ProblemCode].message(params as never))
  for (const error of errors) {
    const { field, code: rule, params: values = {}, message, ...others } = error
    expect([typeof field, typeof message, others]).toEqual(['string', 'string', {}])
    expect([rule, values, ofFields.get(rule as FieldCode)?.(values)]).toEqual([rule, values, true])
    if (status === 400) expect(detail.toLowerCase()).toContain(`${field} ${message}`.toLowerCase())
  }
}

onEveryServer('a hostile client', ({ server }) => {
  let eve: TestUser
  let document: Document
  /** The ids of another user, of the user’s task and note, and one that nothing has. */
  let ids: string[]
  beforeAll(async () => {
    const ada = await server.newUser()
    const [task, note] = [(await ada.addTask({ title: secret }))._id, newId()]
    await ada.send({ item: note, kind: 'note', base: 0, set: { text: secret } })
    ids = [task, note, ada.id, randomUUID()]
    eve = await server.newUser()
    document = JSON.parse((await server.call('GET /openapi.json')).text)
  })

  function operationOf(endpoint: Endpoint) {
    const [method = '', path = ''] = endpoint.split(' ')
    return document.paths[apiBase + path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  }

  /** Checks that an answer has nothing of the other account, and that its error has a code that is documented for the call. */
  function expectAnswer(endpoint: Endpoint, { status, text, json }: Answer) {
    expect([status, text.slice(0, 500)]).toEqual([expect.toSatisfy((code) => code < 500), expect.anything()])
    expect(text).not.toContain(secret)
    if (status < 400) return
    expectProblem(json, status)
    const { content = {}, description = '' } = operationOf(endpoint)?.responses[status] ?? {}
    expect(content['application/problem+json']?.schema.allOf[1].properties.code.enum).toContain(json.code)
    for (const { code } of json.errors ?? []) if (status === 400) expect(description).toContain(`\`${code}\``)
  }

  /** Sends the call with an example of its body unless there is another one, to the path or to this one. */
  async function attack(endpoint: Endpoint, request: Request, path = pathOf(endpoint)) {
    const body = operationOf(endpoint)?.requestBody?.content['application/json'].example
    const answer = await eve.call(`${endpoint.split(' ')[0]} ${path}`, { body, ...request })
    expectAnswer(endpoint, answer)
    // Some calls end the session or the account.
    if (answer.status < 400 && !(await eve.isValid())) eve = await server.newUser()
  }

  const pathOf = (endpoint: Endpoint, id = ids[0], seq = '1') =>
    (endpoint.split(' ')[1] ?? '').replace(':id', String(id)).replace(':seq', seq)

  test.each(endpoints)('gets from %s only answers with documented codes', async (endpoint) => {
    const { requestBody, parameters = [] } = operationOf(endpoint) ?? {}
    const example = requestBody?.content['application/json'].example
    for (const token of ['', 'x', 'x'.repeat(64), 'x'.repeat(200)]) await attack(endpoint, { token })
    const bearer = `Bearer ${eve.token}`
    for (const authorization of ['', 'Bearer', 'Basic eDp4', `${bearer} x`, `${bearer},x`])
      await attack(endpoint, { headers: { authorization } })
    for (const id of [...ids, 'x', 'X', '%00', '%F0%9F%98%80', 'x'.repeat(3000)])
      await attack(endpoint, {}, pathOf(endpoint, id, '1'))
    for (const seq of ['0', '-1', '1.5', '1e3', '9007199254740993', 'x', '%00'])
      await attack(endpoint, {}, pathOf(endpoint, ids[1], seq))
    if (example) for (const body of variantsOf(example)) await attack(endpoint, { body })
    if (requestBody) for (const raw of rawBodies) await attack(endpoint, { body: raw })
    // Each value of the body is one of the hostile texts.
    for (const text of example ? hostileTexts : []) await attack(endpoint, { body: withText(example, text) })
    const types = ['', 'text/plain', 'application/json; charset=utf-16', 'multipart/form-data', '/', '*/*']
    for (const type of types) await attack(endpoint, { body: '{}', headers: { 'content-type': type } })
    for (const { name, in: place } of parameters)
      for (const value of [...hostileTexts, '\u00ff', 'x'.repeat(600), '"1"', ids[0] ?? '']) {
        const given = `${name}=${encodeURIComponent(value.toWellFormed().slice(0, 3000))}`
        const inHeader = value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 5000)
        if (place === 'header') await attack(endpoint, { headers: { [name]: inHeader } })
        if (place !== 'query') continue
        for (const query of [given, `${given}&${given}`, `${name}[]=${value}`, `${name}[x]=1`])
          await attack(endpoint, {}, `${pathOf(endpoint)}?${query}`)
      }
    await attack(endpoint, {}, `${pathOf(endpoint)}?%ZZ&&=&__proto__=1&q=%00&${'x=1&'.repeat(500)}`)
  })

  const paths = [...new Set(endpoints.map((endpoint) => endpoint.split(' ')[1] as string))]

  test.each(paths)('gets a 405 from %s for each method that it lacks, naming its own', async (path) => {
    const methods = endpoints
      .filter((endpoint) => endpoint.endsWith(` ${path}`))
      .map((each) => each.split(' ')[0])
    const get: Calls[string] | undefined = (api as Calls)[`GET ${path}`]
    if (get && !get.mediaType) methods.push('HEAD')
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
      if (methods.includes(method)) continue
      const body = method === 'PATCH' ? '{' : undefined
      const call = `${method} ${path.replace(/:\w+/, ids[0] ?? '')}`
      const { status, json, headers, text } = await eve.call(call, { body })
      const allowed = String(headers.allow).split(', ')
      expect([method, status, allowed.sort()]).toEqual([method, 405, methods.sort()])
      if (method === 'HEAD') expect(text).toBe('')
      else expectProblem(json, 405)
    }
  })

  test('gets a 404 with a code for a path that no call has, also outside this version of the API', async () => {
    for (const url of ['/api/', '/api/v1', '/api/v2/user/validate', '/api/index.html']) {
      const answer = await server.app.inject(url)
      expect([url, answer.statusCode]).toEqual([url, 404])
      expectProblem(answer.json(), 404)
    }
    const longer = [`/tasks/${ids[0]}/x`, '/list/getTodayTasks/', '//settings']
    for (const path of ['', '/', '/users', '/tasks', ...longer]) {
      const { status, json } = await eve.call(`GET ${path}`)
      expect([path, status, json.code]).toEqual([path, 404, 'no-such-path'])
      expectProblem(json, 404)
    }
  })
})
