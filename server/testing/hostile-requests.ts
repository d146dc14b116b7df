import fc from 'fast-check'
import { contentTypes, headerValues, keys, objectOf, rawBodies, texts, values } from './hostile-values.ts'

const { constantFrom, oneof, option } = fc

/** The parts of an OpenAPI document from which requests are generated. */
export type OpenApi = { paths: Record<string, Record<string, Operation>> }
type Operation = {
  parameters?: { name: string; in: 'path' | 'query' | 'header'; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Schema = {
  type?: string
  format?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  properties?: Record<string, Schema>
  items?: Schema
}

export type HostileRequest = {
  method: string
  url: string
  headers: Record<string, string>
  payload: string | Buffer | undefined
  remoteAddress: string
}

/** Generates values that the schema accepts, except that objects and the entries of lists are only nearly valid. */
function valid(schema: Schema, ids: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  if (schema.properties) return nearlyValid(schema, ids)
  if (schema.items) return fc.array(valid(schema.items, ids), { minLength: 1, maxLength: 3 })
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.enum) return constantFrom(...schema.enum)
  if (schema.type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 9 })
  if (schema.format === 'email') return fc.emailAddress()
  if (schema.format === 'day') return constantFrom('2026-11-21', '2024-02-29', '1970-01-01', '2200-12-31')
  if (schema.format === 'uuid') return oneof(ids, fc.uuid())
  if (schema.format === 'date-time') return constantFrom('2026-11-21T00:00:00Z', '1970-01-01T00:00:00.000Z')
  if (schema.format === 'time-zone') return constantFrom(...Intl.supportedValuesOf('timeZone'))
  const { minLength = 0, maxLength = 300 } = schema
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 60) })
}

/** Generates objects that are mostly valid: some have invalid, missing or additional fields. */
function nearlyValid({ properties = {} }: Schema, ids: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => [
    name,
    oneof({ weight: 8, arbitrary: valid(schema, ids) }, { weight: 1, arbitrary: values }),
  ])
  const complete = fc.record(Object.fromEntries(fields))
  const partial = fc.record(Object.fromEntries(fields), { requiredKeys: [] })
  return fc
    .tuple(oneof({ weight: 4, arbitrary: complete }, partial), option(objectOf(values)))
    .map(([body, more]) => ({ ...(body as object), ...more }))
}

/** Percent-encodes a value for a URL, or replaces it with malformed percent-encoding or special path segments. */
const inUrl = (value: unknown) =>
  oneof(
    { weight: 9, arbitrary: fc.constant(encodeURIComponent(String(value).slice(0, 3000).toWellFormed())) },
    constantFrom('%', '%ZZ', '%E0%A4', '%C0%80', '%00', '..', '.', '', '%2F', ';', '%25'),
  )

const pathOf = (path: string, ids: fc.Arbitrary<unknown>) =>
  ids.chain(inUrl).map((id) => path.replace(/\{\w+\}/, () => id))

const queryOf = (names: string[]) =>
  fc
    .array(
      fc.tuple(
        oneof(constantFrom(...names, 'limit', 'cursor', 'limit[]', '__proto__', 'token'), keys).chain(inUrl),
        oneof(fc.integer().map(String), texts).chain(inUrl),
      ),
      { maxLength: 4 },
    )
    .map((pairs) => (pairs.length ? `?${pairs.map((pair) => pair.join('=')).join('&')}` : ''))

const pathSuffixes = oneof(
  { weight: 20, arbitrary: fc.constant('') },
  constantFrom('/', '//', '/..', '/x', '%20', ';a=b'),
)

const otherMethods = constantFrom(
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'],
)

const otherHeaders = constantFrom(
  ...['time-zone', 'content-length', 'accept', 'host', 'x-forwarded-for', 'if-none-match', 'range', 'expect'],
)

const headersWith = (tokens: string[]) =>
  fc
    .tuple(
      oneof(
        { weight: 9, arbitrary: constantFrom(...tokens).map((token) => `Bearer ${token}`) },
        headerValues,
      ),
      oneof({ weight: 12, arbitrary: fc.constant('application/json') }, contentTypes),
      option(fc.tuple(otherHeaders, headerValues), { freq: 3 }),
    )
    .map(([authorization, type, more]) => ({
      authorization,
      'content-type': type,
      ...(more && { [more[0]]: more[1] }),
    }))

/** Generates requests to every operation of the document, most of them invalid, with the given valid tokens and ids. */
export function hostileRequests(
  { paths }: OpenApi,
  ids: string[],
  tokens: string[],
): fc.Arbitrary<HostileRequest> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  return constantFrom(...operations).chain(({ path, method, operation }) => {
    const { parameters = [], requestBody } = operation
    const schema = requestBody?.content['application/json']?.schema
    const known = constantFrom(...ids)
    const json = oneof({ weight: 6, arbitrary: schema ? nearlyValid(schema, known) : values }, values)
    const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    const id = oneof({ weight: 2, arbitrary: known }, texts)
    return fc.record({
      method: oneof({ weight: 15, arbitrary: fc.constant(method) }, otherMethods),
      url: fc.tuple(pathOf(path, id), pathSuffixes, queryOf(inQuery)).map((parts) => parts.join('')),
      headers: headersWith(tokens),
      payload: option(oneof({ weight: 9, arbitrary: json.map((body) => JSON.stringify(body)) }, rawBodies), {
        freq: 12,
        nil: undefined,
      }),
      remoteAddress: fc.ipV4(),
    })
  })
}
