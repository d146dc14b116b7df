/** A JSON Schema of the contract, or of what a browser keeps. */
export type Schema = {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  anyOf?: readonly Schema[]
  required?: readonly string[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | false
}

/** How texts are checked: by these formats, and by length and pattern only if `isExact`. A format that is not named matches every text. */
type Texts = { formats: Record<string, (text: string) => boolean>; isExact?: boolean }

const types: Record<string, (value: unknown) => boolean> = {
  object: isObject,
  array: Array.isArray,
  null: (value) => value === null,
  integer: Number.isSafeInteger,
  number: Number.isFinite,
}

export function matches(value: unknown, schema: Schema, texts: Texts): boolean {
  const { type, minimum = -Infinity, maximum = Infinity } = schema
  const isOfType = (name: string) => types[name]?.(value) ?? typeof value === name
  return (
    (type === undefined || [type].flat().some(isOfType)) &&
    (schema.enum?.includes(value) ?? true) &&
    (schema.anyOf?.some((each) => matches(value, each, texts)) ?? true) &&
    (typeof value !== 'string' || isTextOf(value, schema, texts)) &&
    (typeof value !== 'number' || (value >= minimum && value <= maximum)) &&
    (!Array.isArray(value) || value.every((each) => matches(each, schema.items ?? {}, texts))) &&
    (!isObject(value) || hasProperties(value, schema, texts))
  )
}

function isTextOf(text: string, schema: Schema, { formats, isExact }: Texts): boolean {
  const { format = '', pattern = '', minLength = 0, maxLength = Infinity } = schema
  const isFitting = () => {
    // A text has at most as many code points as units, and at least half as many.
    if (text.length > 2 * maxLength) return false
    const length = text.length > maxLength || text.length < 2 * minLength ? [...text].length : text.length
    return length >= minLength && length <= maxLength && new RegExp(pattern, 'u').test(text)
  }
  return (!isExact || isFitting()) && (formats[format]?.(text) ?? true)
}

function hasProperties(value: Record<string, unknown>, schema: Schema, texts: Texts): boolean {
  const { required = [], properties = {}, additionalProperties = {} } = schema
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, each]) => {
      const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
      return own && matches(each, own, texts)
    })
  )
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What an object of another version has: the values that this version knows, and the names of the others. */
type Given = { values: Record<string, unknown>; unknown: string[] }

/**
 * Reads an object of a file that any version of Daymark has written. A property that the object lacks has its default. Returns the
 * name of the first property that has a value which the schema does not accept, or that has none and no default.
 */
export function readObject(
  given: Record<string, unknown>,
  properties: Record<string, Schema>,
  defaults: Record<string, unknown>,
  texts: Texts,
): Given | string {
  const values = { ...defaults }
  for (const [name, schema] of Object.entries(properties)) {
    if (Object.hasOwn(given, name)) values[name] = given[name]
    if (!Object.hasOwn(values, name) || !matches(values[name], schema, texts)) return name
  }
  return { values, unknown: Object.keys(given).filter((name) => !Object.hasOwn(properties, name)) }
}
