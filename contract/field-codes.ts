import type { XStatic } from 'typebox/schema'

const whole = { type: 'integer' } as const
const text = { type: 'string' } as const

/** The rules that values of fields break, with the parameters of each error. Clients know them: a code keeps its meaning. */
export const fieldCodes = {
  required: {},
  unknown: {},
  'wrong-type': { type: text },
  'not-an-option': { options: { type: 'array', items: { type: ['string', 'null'] } } },
  'too-short': { min: whole },
  'too-long': { max: whole },
  'too-few': { min: whole },
  'too-many': { max: whole },
  'out-of-range': { min: whole, max: whole },
  blank: {},
  'not-text': {},
  'not-an-email': {},
  'not-a-day': { min: text, max: text },
  'not-a-time': {},
  'not-a-date-time': {},
  'not-a-repeat': {},
  'never-occurs': {},
  'not-a-reminder': {},
  'not-a-push-service': {},
  'not-a-push-key': {},
  'needs-date': {},
  'not-an-id': {},
  'not-a-version': {},
  'unknown-time-zone': {},
  'unknown-cursor': {},
  'other-kind': {},
  'too-common': {},
  'wrong-password': {},
  taken: {},
  unreadable: {},
  'too-complex': { levels: whole, keysAndEntries: whole, chunks: whole },
  'ambiguous-host': {},
  invalid: {},
} as const

export type FieldCode = keyof typeof fieldCodes

export type FieldParams<Code extends FieldCode> = {
  [Name in keyof (typeof fieldCodes)[Code]]?: XStatic<(typeof fieldCodes)[Code][Name]>
}
