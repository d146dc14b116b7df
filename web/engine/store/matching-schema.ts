import { timeOfDay } from '#contract/fields.ts'

/**
 * A JSON Schema of the contract, or of what this browser keeps. Lengths, patterns and the form of ids are not checked, because
 * any text can be shown, and the server says what is wrong with it.
 */
export type Schema = {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  format?: string
  minimum?: number
  maximum?: number
  items?: Schema
  anyOf?: readonly Schema[]
  required?: readonly string[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | false
}

const types: Record<string, (value: unknown) => boolean> = {
  object: isObject,
  array: Array.isArray,
  null: (value) => value === null,
  integer: Number.isSafeInteger,
  number: Number.isFinite,
}

const formats: Record<string, (text: string) => boolean> = {
  day: isDay,
  time: (text) => timeOfDay.test(text),
  'date-time': (text) => !Number.isNaN(Date.parse(text)),
}

/** Whether a value of JSON has the schema. */
export function matches(value: unknown, schema: Schema): boolean {
  const { type, format = '', minimum = -Infinity, maximum = Infinity } = schema
  const isOfType = (name: string) => types[name]?.(value) ?? typeof value === name
  return (
    (type === undefined || [type].flat().some(isOfType)) &&
    (schema.enum?.includes(value) ?? true) &&
    (schema.anyOf?.some((each) => matches(value, each)) ?? true) &&
    (typeof value !== 'string' || (formats[format]?.(value) ?? true)) &&
    (typeof value !== 'number' || (value >= minimum && value <= maximum)) &&
    (!Array.isArray(value) || value.every((each) => matches(each, schema.items ?? {}))) &&
    (!isObject(value) || hasProperties(value, schema))
  )
}

function hasProperties(value: Record<string, unknown>, schema: Schema): boolean {
  const { required = [], properties = {}, additionalProperties = {} } = schema
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, each]) => {
      const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
      return own && matches(each, own)
    })
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00Z`)
  // Some browsers take 30 February as 2 March.
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
  )
}
