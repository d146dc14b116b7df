import { Ajv, type ErrorObject, type KeywordDefinition, type Options } from 'ajv'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import type { FastifySchemaCompiler } from 'fastify'
import type { FieldCode } from '#contract/field-codes.ts'
import { fieldFormats, isText, isUuid } from '#contract/formats.ts'
import { dueDates } from '#contract/limits.ts'
import type { FieldError } from '#contract/problem.ts'
import { reminderLimits } from '#contract/reminder-times.ts'
import { allowedInRules } from '#contract/repeat-rules.ts'
import { fieldError, HttpError } from '../errors.ts'
import { isTimeZone } from './time-zone.ts'

type Format = { matches: (text: string) => boolean; code: FieldCode; params?: object; message: string }

/** The check of each string format, and its error code and message. The message follows the field's name: "dueDate must be …". */
export const formats: Record<string, Format> = {
  text: { matches: isText, code: 'not-text', message: 'must not contain U+0000 or an unpaired surrogate' },
  name: {
    matches: (text) => isText(text) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text),
    code: 'not-text',
    message: 'must not contain a control character, such as a line feed, or an unpaired surrogate',
  },
  email: {
    matches: (text) => isText(text) && /^[^\s@]+@[^\s@]+$/.test(text.trim()),
    code: 'not-an-email',
    message: 'must be an email address, such as name@example.org',
  },
  day: {
    matches: fieldFormats.day,
    code: 'not-a-day',
    params: dueDates,
    message: `must be an existing day from ${dueDates.min} to ${dueDates.max}, written YYYY-MM-DD, such as 2026-11-21`,
  },
  time: {
    matches: fieldFormats.time,
    code: 'not-a-time',
    message: 'must be a time from 00:00 to 23:59, written HH:MM, such as 17:30',
  },
  repeat: {
    matches: fieldFormats.repeat,
    code: 'not-a-repeat',
    message: `must be a rule of RFC 5545 without DTSTART: ${allowedInRules}`,
  },
  reminders: {
    matches: fieldFormats.reminders,
    code: 'not-a-reminder',
    message: `must be reminders that are separated by spaces, such as 10m, 1d19:00 or 2026-11-27T08:00: at most ${reminderLimits.chosen} relative ones and ${reminderLimits.stored} in all, or none without relative ones`,
  },
  uuid: {
    matches: isUuid,
    code: 'not-an-id',
    message: 'must be a UUID in lower case, such as 01a1fbec-df28-741d-85d9-08c2d1fcac18',
  },
  'time-zone': {
    matches: isTimeZone,
    code: 'unknown-time-zone',
    message: 'must be a time zone, such as Europe/Lisbon',
  },
  version: {
    matches: (text) => /^("?)\d{1,15}\1$/.test(text),
    code: 'not-a-version',
    message: 'must be the version of a task in quotation marks, such as "17"',
  },
  'date-time': {
    matches: (text) => !Number.isNaN(Date.parse(text)),
    code: 'not-a-date-time',
    message: 'must be a date and time',
  },
}

const ajv = (options: Options) =>
  new Ajv({
    ...options,
    allErrors: true,
    useDefaults: true,
    // The description in the OpenAPI document of a value that another check rejects.
    keywords: ['documented'],
    formats: Object.fromEntries(Object.entries(formats).map(([name, { matches }]) => [name, matches])),
  })
    .removeKeyword('maxItems')
    .addKeyword(cutToMaxItems)

/**
 * `maxItems`, which also removes the items that are too many. Otherwise Ajv would check each of them too, because it collects
 * all errors: for a body of 1 MB, some seconds and a gigabyte.
 */
const cutToMaxItems: KeywordDefinition = {
  keyword: 'maxItems',
  type: 'array',
  schemaType: 'number',
  before: 'items',
  modifying: true,
  compile: (limit: number) => {
    const check: DataValidateFunction = (items: unknown[]) => {
      if (items.length <= limit) return true
      items.length = limit
      check.errors = [{ keyword: 'maxItems', params: { limit } }]
      return false
    }
    return check
  },
}

/**
 * URLs carry only text, so numbers are parsed from it; bodies are JSON and are not coerced.
 * `strictNumbers` must be off for URLs: with it, Ajv skips `minimum` and `maximum` for a coerced "Infinity".
 */
const urls = ajv({ coerceTypes: true, strictNumbers: false })
const bodies = ajv({ coerceTypes: false })

export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? bodies : urls).compile(schema)

const mostFields = 20

/** Returns the error of an invalid request: one entry per field, with the field's first error. */
export function invalidRequest(found: ErrorObject[]): HttpError {
  const byField = new Map<string, FieldError>()
  for (const error of found) {
    const field = fieldOf(error)
    if (!byField.has(field))
      byField.set(field, fieldError(field, codeOf(error), messageOf(error), paramsOf(error)))
  }
  const errors = [...byField.values()].slice(0, mostFields)
  const more = byField.size - errors.length
  const detail = errors.map(({ field, message }) => `${field} ${message}`).join('; ')
  const rest = more === 0 ? '' : `; ${more} more ${more === 1 ? 'field is' : 'fields are'} not valid`
  return new HttpError('invalid-fields', {}, { detail: detail + rest, errors })
}

export type Schema = { properties?: Record<string, Schema>; items?: Schema }

/** Returns the error of a valid body with fields that its schema does not name, or undefined if it has none. */
export function unknownFields(schema: Schema | undefined, body: unknown): HttpError | undefined {
  const found = schema ? [...unknownIn(schema, body, '')] : []
  return found.length > 0 ? invalidRequest(found as ErrorObject[]) : undefined
}

function* unknownIn(
  { properties, items }: Schema,
  value: unknown,
  instancePath: string,
): Generator<Pick<ErrorObject, 'keyword' | 'instancePath' | 'params'>> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, each] of Object.entries(value)) {
    const own = items ?? (properties && Object.hasOwn(properties, name) ? properties[name] : undefined)
    if (own) yield* unknownIn(own, each, `${instancePath}/${name}`)
    else if (properties)
      yield { keyword: 'additionalProperties', instancePath, params: { additionalProperty: name } }
  }
}

const headerNames: Record<string, string> = {
  'time-zone': 'Time-Zone',
  'if-match': 'If-Match',
  'idempotency-key': 'Idempotency-Key',
}

function fieldOf({ instancePath, params }: ErrorObject) {
  const path = [instancePath.slice(1), params.missingProperty ?? params.additionalProperty]
    .filter(Boolean)
    .join('/')
  return headerNames[path] ?? (path || 'request body')
}

/** The code of a value that breaks the rule of a keyword. */
export const codes: Record<string, FieldCode> = {
  required: 'required',
  type: 'wrong-type',
  enum: 'not-an-option',
  minLength: 'too-short',
  maxLength: 'too-long',
  minItems: 'too-few',
  maxItems: 'too-many',
  pattern: 'blank',
  minimum: 'out-of-range',
  maximum: 'out-of-range',
  additionalProperties: 'unknown',
}

const codeOf = ({ keyword, params }: ErrorObject) =>
  (keyword === 'format' ? formats[params.format]?.code : codes[keyword]) ?? 'invalid'

/** What a keyword requires, as the parameters of its code. */
function paramsOf({ keyword, params }: ErrorObject) {
  if (keyword === 'format') return formats[params.format]?.params ?? {}
  if (keyword === 'type') return { type: String(params.type) }
  if (keyword === 'enum') return { options: params.allowedValues }
  return 'limit' in params ? { [keyword.startsWith('min') ? 'min' : 'max']: params.limit } : {}
}

function messageOf({ keyword, params }: ErrorObject): string {
  switch (keyword) {
    case 'additionalProperties':
      return 'is not known'
    case 'required':
      return 'is missing'
    case 'type':
      if (params.type === 'object') return 'must be a JSON object'
      return `must be ${String(params.type).split(',').map(withArticle).join(' or ')}`
    case 'enum':
      return `must be one of ${params.allowedValues.join(', ')}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit.toLocaleString('en')} characters`
    case 'minItems':
      return `must have at least ${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}`
    case 'maxItems':
      return `must have at most ${params.limit} entries`
    case 'pattern':
      return 'must not be blank'
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'format':
      return formats[params.format]?.message ?? `must be a valid ${params.format}`
    default:
      return 'is not valid'
  }
}

const names: Record<string, string> = { integer: 'a whole number', array: 'a list', null: 'null' }

const withArticle = (type: string) => names[type] ?? `a ${type}`
