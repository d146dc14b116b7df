import { visible } from '#contract/blank.ts'
import type { FieldCode } from '#contract/field-codes.ts'
import { isObject } from '#contract/matches-schema.ts'
import { patterns } from './documented-patterns.ts'
import { codes, formats } from './validation.ts'

/** In a text, instead of the pattern `visible`: one of these is between characters that the pattern of the format allows. */
const shown = String.raw`[^\s\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]`

type Json = { [key: string]: unknown }

/** Returns schemas with patterns for Daymark's formats, and with the keywords of `documented` in its place. */
export function documented<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(documented) as Value
  if (!isObject(value)) return value
  const { documented: more, ...rest }: Json = value
  const schema: Json = { ...rest, ...(isObject(more) ? more : {}) }
  const { format } = schema
  if (format === 'time-zone') return documented(zoned(schema)) as Value
  const pattern = typeof format === 'string' ? patterns[format] : undefined
  if (pattern) {
    if (format !== 'uuid') delete schema.format
    schema.description ??= `It ${formats[String(format)]?.message}`
    schema.pattern = schema.pattern === visible ? pattern.replace(/^\^(.*)\$$/, `^$1${shown}$1$`) : pattern
  }
  return Object.fromEntries(Object.entries(schema).map(([key, each]) => [key, documented(each)])) as Value
}

/** The names of time zones that programs know. The server also accepts other names of these zones. */
export const TimeZone = {
  type: 'string',
  enum: [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])],
  description:
    'A name of the IANA database. The server also accepts names of it that are not in this list, such as older ones',
}

function zoned({ type, format: _, ...rest }: Json): Json {
  const zone = { $ref: '#/components/schemas/TimeZone' }
  return { ...rest, ...(Array.isArray(type) ? { anyOf: [zone, { type: 'null' }] } : zone) }
}

/** The codes of values that break these schemas. */
export function codesIn(value: unknown): FieldCode[] {
  if (Array.isArray(value)) return value.flatMap(codesIn)
  if (!isObject(value)) return []
  const own = Object.entries(value).flatMap(([key, each]) =>
    key === 'format'
      ? (formats[String(each)]?.code ?? [])
      : typeof each === 'object'
        ? []
        : (codes[key] ?? []),
  )
  const lists = ['enum', 'required']
    .filter((key) => Array.isArray(value[key]))
    .flatMap((key) => codes[key] ?? [])
  return [...own, ...lists, ...Object.values(value).flatMap(codesIn)]
}
