import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { api, type Endpoint } from '#contract/api.ts'
import { visible } from '#contract/blank.ts'
import type { Access, Calls } from '#contract/calls.ts'
import type { FieldCode } from '#contract/field-codes.ts'
import { apiBase } from '#contract/limits.ts'
import { isObject } from '#contract/matches-schema.ts'
import { Problem } from '#contract/problem.ts'
import { problemsOf } from './documented-problems.ts'
import { documented, TimeZone } from './documented-schemas.ts'

type Operation = {
  operationId?: string
  security?: object[]
  'x-access'?: Access
  /** The codes of errors that fields of a request can have that the document describes as valid. */
  'x-refusals'?: FieldCode[]
  requestBody?: unknown
  parameters?: unknown
  responses: Record<string, unknown>
}
type Generated = Parameters<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>[0]
type Document = Extract<Generated, { openapiObject: object }>['openapiObject']

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

/** Adds what schemas lack to each call: who may make it, statuses and their codes, its name, and the calls that may follow. */
export function describeCalls({ paths, components, ...rest }: Document): Document {
  for (const [endpoint, call] of Object.entries(api) as [Endpoint, Calls[string]][]) {
    const [method = '', path = ''] = endpoint.split(' ')
    const operations = paths?.[apiBase + path.replace(/:(\w+)/g, '{$1}')] as
      | Record<string, Operation>
      | undefined
    const operation = operations?.[method.toLowerCase()]
    if (!operation) continue
    if (operation.requestBody && !call.ignoresUnknown) operation.requestBody = closed(operation.requestBody)
    const { requestBody: body, parameters } = operation
    operation.operationId = nameOf(endpoint)
    operation['x-access'] = call.access
    // The specified 403 is an answer to a request without a token, too.
    if (call.access !== 'none') operation.security = [{ bearer: [] }, ...(call.unauthorized ? [{}] : [])]
    // Without the flag `u`, no pattern says which characters above U+FFFF are invisible.
    const unseen: FieldCode[] = JSON.stringify({ body, parameters }).includes(JSON.stringify(visible))
      ? ['blank']
      : []
    const refusals = new Set([...unseen, ...(call.fieldCodes ?? [])])
    if (refusals.size > 0) operation['x-refusals'] = [...refusals]
    operation.responses = {
      200: { ...(operation.responses[200] as object), description: 'Success', links: linksOf(endpoint) },
      ...problemsOf(call, method, { body, parameters }),
    }
  }
  return {
    ...rest,
    ...documented({
      paths,
      components: { ...components, schemas: { Problem: Problem as object, TimeZone } },
    }),
  } as Document
}

/** Schemas whose objects have no other properties. Rules in `documented` are conditions of such objects. */
function closed<Value>(value: Value): Value {
  if (!isObject(value)) return value
  const parts = Object.entries(value).map(([key, each]) => [
    key,
    ['documented', 'examples'].includes(key) ? each : closed(each),
  ])
  const isClosed = 'properties' in value && 'type' in value
  return { ...Object.fromEntries(parts), ...(isClosed && { additionalProperties: false }) }
}

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
