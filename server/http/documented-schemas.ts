import { visible } from '#contract/blank.ts'
import type { FieldCode } from '#contract/field-codes.ts'
import { timeOfDay } from '#contract/fields.ts'
import { codes, formats } from './validation.ts'

/** The years of `dueDates` in `contract/limits.ts`. */
const year = '(19[7-9][0-9]|2[01][0-9]{2}|2200)'
const leapYear = '(19(7[26]|8[048]|9[26])|20([02468][048]|[13579][26])|21(0[48]|[2468][048]|[13579][26]))'
const month =
  '((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))'

/**
 * The formats as patterns that other programs understand. They match the same values without character classes that differ
 * between programs.
 */
export const patterns: Record<string, string> = {
  text: '^[^\\u0000]*$',
  name: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
  email: '^[^\\s\\u0000@]+@[^\\s\\u0000@]+$',
  day: `^(${year}-${month}|${leapYear}-02-29)$`,
  time: timeOfDay.source,
  repeat: '^[A-Z]+=[A-Z0-9,+-]+(;[A-Z]+=[A-Z0-9,+-]+)*$',
  uuid: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  'time-zone': '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$',
  version: '^"[0-9]{1,15}"$',
}

/** In a text, instead of the pattern `visible`: one of these is between characters that the pattern of the format allows. */
const shown = String.raw`[^\s\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]`

type Json = { [key: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Returns schemas with patterns for Daymark's formats, and with the keywords of `documented` in its place. */
export function documented<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(documented) as Value
  if (!isObject(value)) return value
  const { documented: more, ...rest }: Json = value
  const schema: Json = { ...rest, ...(isObject(more) ? more : {}) }
  const { format } = schema
  const pattern = typeof format === 'string' ? patterns[format] : undefined
  if (pattern) {
    if (format !== 'uuid') delete schema.format
    schema.description ??= `It ${formats[String(format)]?.message}`
    schema.pattern = schema.pattern === visible ? pattern.replace(/^\^(.*)\$$/, `^$1${shown}$1$`) : pattern
  }
  return Object.fromEntries(Object.entries(schema).map(([key, each]) => [key, documented(each)])) as Value
}

/** The codes with which values that break these schemas are rejected. */
export function codesIn(value: unknown): FieldCode[] {
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
