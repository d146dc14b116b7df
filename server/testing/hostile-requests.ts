import fc from 'fast-check'

/** As much of an OpenAPI document as a request can be made from. */
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
}

export type HostileRequest = {
  method: string
  url: string
  headers: Record<string, string>
  payload: string | Buffer | undefined
  remoteAddress: string
}

const { constantFrom, oneof, option } = fc

/** What has broken other servers, and what would be found if it did anything here. */
const texts = oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  constantFrom(
    ...['', ' ', '\0', 'a\0b', '\ud800', '\udfff tail', '\u202egnp.exe', 'ﷺ', 'İ', '𝒳'.repeat(300)],
    ...["' or 1=1 --", "'; drop table users; --", '"; select pg_sleep(10) --', '%', '_', '\\', '$1', '?'],
    ...['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '{{7*7}}', '${7*7}', 'javascript:0'],
    ...['../../etc/passwd', '%00', '%2e%2e%2f', '__proto__', 'constructor', 'toString', 'null', 'undefined'],
    ...['-1', '0', '1e309', '-0', 'NaN', 'Infinity', '0x10', '9'.repeat(400), '1.5', 'true'],
    ...['2026-02-30', '0000-00-00', '9999-12-31', '10000-01-01', '+275760-09-13', '2026-11-21T00:00:00Z'],
    ...['Area/City', 'UTC', '+25:00', 'Etc/GMT+99', '2026-11-21T00:00[UTC]', 'x'.repeat(200_000)],
  ),
)

const keys = oneof(
  constantFrom('__proto__', 'constructor', 'prototype', 'toString', '', '_id', 'userId', 'createdAt'),
  constantFrom('title', 'body', 'dueDate', 'priority', 'email', 'password', 'name', 'limit', 'cursor'),
  texts,
)

const objectOf = (values: fc.Arbitrary<unknown>) =>
  fc.array(fc.tuple(keys, values), { maxLength: 4 }).map((entries) => Object.fromEntries(entries))

const { value: values } = fc.letrec((tie) => ({
  value: oneof(
    { depthSize: 'small', withCrossShrink: true },
    texts,
    oneof(fc.double(), fc.maxSafeInteger(), fc.boolean(), constantFrom(null, 2 ** 31, 2 ** 63, -1, 1e308)),
    fc.array(tie('value'), { maxLength: 3 }),
    objectOf(tie('value')),
  ),
}))

/** Bodies that are no JSON, or only just. */
const rawBodies = constantFrom<string | Buffer>(
  ...['', ' ', '{', '[]', 'null', '"text"', '{"title":}', '{"title":1e999}', '\ufeff{}', '{}{}', "{'a':1}"],
  ...['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"x":1}}}', '{"title":"\\ud800"}'],
  ...['['.repeat(50_000), '{"a":'.repeat(20_000), `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ...['{"title":"a","title":["b"]}', 'title=a&body=b', `"${'x'.repeat(1_100_000)}"`],
  ...[Buffer.from([0xff, 0xfe, 0x7b, 0x7d]), Buffer.from('{"title":"\xe9"}', 'latin1'), Buffer.alloc(64)],
)

const contentTypes = constantFrom(
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
  ],
  ...['application/json; charset=utf-16', 'application/json;;', 'APPLICATION/JSON', 'json', '', '/', '*/*'],
)

/** A value that the schema takes. */
function valid(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return constantFrom(...schema.enum)
  if (schema.type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 9 })
  if (schema.format === 'email') return fc.emailAddress()
  if (schema.format === 'day') return constantFrom('2026-11-21', '2024-02-29', '0001-01-01', '9999-12-31')
  if (schema.format === 'uuid') return fc.uuid()
  if (schema.format === 'time-zone') return constantFrom(...Intl.supportedValuesOf('timeZone'))
  const { minLength = 0, maxLength = 300 } = schema
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 60) })
}

/** Mostly what the schema takes, with a few of its fields spoilt, left out or joined by others. */
function nearly({ properties = {} }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => [
    name,
    oneof({ weight: 8, arbitrary: valid(schema) }, { weight: 1, arbitrary: values }),
  ])
  const whole = fc.record(Object.fromEntries(fields))
  const parts = fc.record(Object.fromEntries(fields), { requiredKeys: [] })
  return fc
    .tuple(oneof({ weight: 4, arbitrary: whole }, parts), option(objectOf(values)))
    .map(([body, more]) => ({ ...(body as object), ...more }))
}

/** In a URL everything is text; a broken percent-encoding is left broken. */
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

/** A header's value, as far as HTTP can carry it. */
const headerValues = texts.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 5000))

/** Requests to every operation of the document: some right, most not, by somebody who knows `tokens` and `ids`. */
export function hostileRequests(
  { paths }: OpenApi,
  ids: string[],
  tokens: string[],
): fc.Arbitrary<HostileRequest> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  return constantFrom(...operations).chain(
    ({ path, method, operation: { parameters = [], requestBody } }) => {
      const schema = requestBody?.content['application/json']?.schema
      const json = oneof({ weight: 6, arbitrary: schema ? nearly(schema) : values }, values)
      const named = (place: string) => parameters.filter((one) => one.in === place).map(({ name }) => name)
      return fc.record({
        method: oneof(
          { weight: 15, arbitrary: fc.constant(method) },
          constantFrom(
            'GET',
            'POST',
            'PUT',
            'PATCH',
            'DELETE',
            'HEAD',
            'OPTIONS',
            'TRACE',
            'PROPFIND',
            'QUERY',
          ),
        ),
        url: fc
          .tuple(
            pathOf(path, oneof({ weight: 2, arbitrary: constantFrom(...ids) }, texts)),
            oneof(
              { weight: 20, arbitrary: fc.constant('') },
              constantFrom('/', '//', '/..', '/x', '%20', ';a=b'),
            ),
            queryOf(named('query')),
          )
          .map((parts) => parts.join('')),
        headers: fc
          .record({
            authorization: oneof(
              { weight: 9, arbitrary: constantFrom(...tokens).map((token) => `Bearer ${token}`) },
              headerValues,
            ),
            'content-type': oneof({ weight: 12, arbitrary: fc.constant('application/json') }, contentTypes),
            more: option(
              fc.tuple(
                constantFrom(
                  'time-zone',
                  'content-length',
                  'accept',
                  'host',
                  'x-forwarded-for',
                  'if-none-match',
                  'range',
                  'expect',
                ),
                headerValues,
              ),
              { freq: 3 },
            ),
          })
          .map(({ more, ...headers }) => ({ ...headers, ...(more && { [more[0]]: more[1] }) })),
        payload: option(
          oneof({ weight: 9, arbitrary: json.map((body) => JSON.stringify(body)) }, rawBodies),
          {
            freq: 12,
            nil: undefined,
          },
        ),
        remoteAddress: fc.ipV4(),
      })
    },
  )
}
