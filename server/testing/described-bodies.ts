import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { reminderEndpoints } from '#contract/reminders.ts'

type Schema = {
  $ref?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  not?: Schema
  type?: string | string[]
  enum?: unknown[]
  pattern?: string
  format?: string
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
} & { [limit in 'minimum' | 'maximum' | 'minItems' | 'minLength' | 'maxLength']?: number }

/** The parts of an OpenAPI document from which bodies are generated. */
export type Described = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
type Operation = { 'x-refusals'?: string[]; requestBody?: { content: Record<string, { schema: Schema }> } }

const { endpoint, keys } = reminderEndpoints['PUT /reminders/subscription'].body.examples[0]

/** Texts of all formats, and others that are nearly of one. */
const samples = [
  ...[endpoint, ...Object.values(keys), 'https://example.org/'],
  ...['2026-11-21', '2024-02-29', '2200-12-31', '1969-12-31', '09:30', '24:00', '2026-11-21T00:00:00Z'],
  'none',
  ...['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO,TH', 'FREQ=WEEKLY;BYMONTHDAY=1'],
  'FREQ=DAILY;COUNT=2;UNTIL=20270101',
  ...['10m', '10m 10m', '10m 1d19:00 2026-11-27T08:00', 'none 10m', '0', '10081m', 'ada@example.org', 'Ada'],
  ...['a staple for the horse', 'Zürich 🌍 list'],
  ...['01a1fbec-df28-741d-85d9-08c2d1fcac18', '01A1FBEC-DF28-741D-85D9-08C2D1FCAC18', '\u200b', ' ', 'a\0b'],
  '\u{e0041}',
]

/** Of `date-time`, which has no pattern. */
const instants = ['2026-11-21T00:00:00Z', '1970-01-01T00:00:00.000Z', '2199-02-28T23:59:59+14:00']

/** Short, because the search for some patterns takes the square of the length. */
const texts = fc.string({ unit: 'binary', maxLength: 20 })

/** Returns the calls of a document with a body: the codes of errors that valid bodies can have, and mostly valid bodies. */
export function describedBodies({ paths, components }: Described) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const schema = operation.requestBody?.content['application/json']?.schema
      if (!schema) return []
      const isValid = ajv.compile({ ...schema, components })
      const bodies = bodyOf(schema, components.schemas)
      const refusals = operation['x-refusals'] ?? []
      return [{ path, method: method.toUpperCase(), refusals, bodies, isValid }]
    }),
  )
}

/** The schema of the values that are of both. */
function both(one: Schema, other: Schema): Schema {
  const properties = { ...one.properties }
  for (const [name, each] of Object.entries(other.properties ?? {}))
    properties[name] = both(properties[name] ?? {}, each)
  const isObject = one.properties || other.properties
  return {
    ...one,
    ...other,
    ...(isObject && { properties }),
    required: [...(one.required ?? []), ...(other.required ?? [])],
  }
}

function bodyOf(schema: Schema, schemas: Record<string, Schema>): fc.Arbitrary<unknown> {
  const { oneOf, ...rest } = schema
  const { $ref, anyOf, type, properties, items, pattern, format, required = [] } = rest
  const { minLength = 0, maxLength = Infinity } = schema
  if (oneOf) return fc.oneof(...oneOf.map((each) => bodyOf(both(rest, each), schemas)))
  const others = schema.not?.anyOf?.flatMap((each) => each.required ?? []) ?? []
  if (properties)
    return fc.record(
      Object.fromEntries(
        Object.entries(properties)
          .filter(([name]) => !others.includes(name))
          .map(([name, each]) => [name, bodyOf(each, schemas)]),
      ),
      { requiredKeys: required },
    )
  if ($ref) return bodyOf(schemas[$ref.replace(/^.*\//, '')] ?? {}, schemas)
  if (anyOf) return fc.oneof(...anyOf.map((each) => bodyOf(each, schemas)))
  if (items) return fc.array(bodyOf(items, schemas), { minLength: schema.minItems ?? 0, maxLength: 3 })
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 9 })
  // The document says that every text is valid Unicode.
  const fits = (text: string) =>
    text.isWellFormed() &&
    text.length >= minLength &&
    text.length <= maxLength &&
    new RegExp(pattern ?? '').test(text)
  const known = format === 'date-time' ? instants : samples.filter(fits)
  if (known.length === 0) throw new Error(`no sample matches ${pattern}`)
  const text = fc.oneof(
    texts.map((text) => text.padEnd(minLength, 'x')).filter(fits),
    fc.constantFrom(...known),
  )
  // Nobody finds a text of a narrow pattern by chance.
  const isNarrow = format === 'date-time' || !fits('x y'.padEnd(minLength, 'x'))
  const found = isNarrow ? fc.constantFrom(...known) : text
  return type?.includes('null') ? fc.option(found) : found
}
