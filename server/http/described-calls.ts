import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { api, type Endpoint } from '#contract/api.ts'
import type { Access, Calls, Problems } from '#contract/calls.ts'
import { Problem } from '#contract/errors.ts'
import { apiBase } from '#contract/limits.ts'
import { codesIn, documented } from './documented-schemas.ts'

type Operation = {
  operationId?: string
  security?: object[]
  'x-access'?: Access
  requestBody?: unknown
  parameters?: unknown
  responses: Record<string, unknown>
}
type Generated = Parameters<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>[0]
type Document = Extract<Generated, { openapiObject: object }>['openapiObject']

/** The responses that every call can have, by status. */
const always: Problems = {
  408: 'The request did not arrive completely in time.',
  421: 'The server does not accept requests for this host.',
  429: 'Too many calls or attempts. `Retry-After` has the seconds to wait.',
  431: 'The headers of the request are too large.',
  500: 'An unexpected error. `requestId` is in the server’s log.',
  503: 'The server is overloaded, or its database cannot be reached. `Retry-After` has the seconds to wait.',
}
const withBody: Problems = {
  413: 'The body is larger than this call accepts.',
  415: 'The body is not JSON, or is not declared as `application/json`.',
}
const invalidToken = 'The token is missing, wrong or no longer valid.'
const withToken: Problems = { 401: invalidToken, 403: 'The scope of the token does not allow this call.' }
const withWrites: Problems = { 507: 'The server has no storage space left. Nothing was changed.' }

/** Which calls take a value that another call has returned, and where the value is in the response. */
const taking = {
  task: ['GET /tasks/:id', 'PUT /list/updateTask/:id', 'DELETE /list/deleteTask/:id'],
  note: ['GET /notes/:id', 'GET /notes/:id/versions'],
  change: ['POST /changes/:seq/undo'],
} as const satisfies Record<string, readonly Endpoint[]>
const links: Partial<Record<Endpoint, [keyof typeof taking, string][]>> = {
  'POST /list/addTask': [
    ['task', '/task/_id'],
    ['change', '/task/version'],
  ],
  'PUT /list/updateTask/:id': [['change', '/task/version']],
  'POST /changes': [
    ['task', '/items/0/item/_id'],
    ['note', '/items/0/item/_id'],
  ],
}

/**
 * Adds the descriptions that schemas lack to each call: who may make it, statuses and their codes, its name, and the calls that
 * may follow.
 */
export function describeCalls({ paths, components, ...rest }: Document): Document {
  for (const [endpoint, call] of Object.entries(api) as [Endpoint, Calls[string]][]) {
    const [method = '', path = ''] = endpoint.split(' ')
    const operations = paths?.[apiBase + path.replace(/:(\w+)/g, '{$1}')] as
      | Record<string, Operation>
      | undefined
    const operation = operations?.[method.toLowerCase()]
    if (!operation) continue
    const problems = problemsOf(endpoint, operation, call)
    operation.operationId = nameOf(endpoint)
    operation['x-access'] = call.access
    if (call.access !== 'none') operation.security = [{ bearer: [] }]
    operation.responses = {
      200: { ...(operation.responses[200] as object), description: 'Success', links: linksOf(endpoint) },
      ...Object.fromEntries(Object.entries(problems).map(([status, text]) => [status, failure(text)])),
    }
  }
  return {
    ...rest,
    ...documented({ paths, components: { ...components, schemas: { Problem: Problem as object } } }),
  } as Document
}

function problemsOf(endpoint: Endpoint, operation: Operation, call: Calls[string]): Record<string, string> {
  const { requestBody, parameters } = operation
  const { access, unauthorized, problems: own = {} } = call
  const all: Problems = {
    ...always,
    ...(requestBody ? withBody : {}),
    ...(access === 'none' ? {} : withToken),
    ...(endpoint.startsWith('GET ') ? {} : withWrites),
    ...own,
  }
  if (unauthorized) {
    delete all[401]
    all[unauthorized] = invalidToken
  }
  const codes = [
    ...new Set([
      ...codesIn({ requestBody, parameters }),
      ...(requestBody ? ['unreadable'] : []),
      ...(own[400] ?? []),
    ]),
  ]
  const list = codes.map((code) => `\`${code}\``).join(', ')
  const texts = { ...all, 400: `The request is not valid.${list && ` \`errors[].code\` is one of ${list}.`}` }
  return texts as Record<string, string>
}

const failure = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

/** As in `getListGetTodayTasks` and `postChangesBySeqUndo`. */
const nameOf = (endpoint: Endpoint) =>
  endpoint
    .replace(/^\w+/, (method) => method.toLowerCase())
    .replace(/ ?\/(:?)(\w)/g, (_, colon, letter) => (colon ? 'By' : '') + letter.toUpperCase())

function linksOf(endpoint: Endpoint) {
  const found = (links[endpoint] ?? []).flatMap(([what, pointer]) =>
    taking[what].map((target): [string, object] => {
      const [, parameter = ''] = /:(\w+)/.exec(target) ?? []
      const parameters = { [parameter]: `$response.body#${pointer}` }
      return [`${what}: ${target}`, { operationId: nameOf(target), parameters }]
    }),
  )
  return Object.fromEntries(found.map(([name, link]) => [name.replace(/[^\w.-]+/g, '-'), link]))
}
