import { type Fields, Id, Instant, isDay, itemSchema, setSchema, timeOfDay } from '#contract/fields.ts'
import { matches, type Schema } from '#contract/matches-schema.ts'
import { noteFields } from '#contract/note-fields.ts'
import { taskFields } from '#contract/task-fields.ts'
import { verbs } from '../verbs/verbs.ts'

const everyField: Fields = { ...taskFields, ...noteFields }
const Text = { type: 'string' }
const Flag = { type: 'boolean' }
const Version = { type: 'integer', minimum: 0 }
/** Milliseconds that `Date` can hold. */
const Time = { type: 'number', minimum: 0, maximum: 8.64e15 }

const object = (required: Record<string, Schema>, optional: Record<string, Schema> = {}): Schema => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
})

const Values: Schema = {
  type: 'object',
  properties: Object.fromEntries(Object.entries(everyField).map(([name, { schema }]) => [name, schema])),
  additionalProperties: false,
}

/** An earlier build has kept tasks without fields that came later. One that only the server sets is not missed. */
const whole = itemSchema(taskFields)
const Task: Schema = { ...whole, required: whole.required.filter((name) => !everyField[name]?.isDerived) }
const Note: Schema = itemSchema(noteFields, { changedAt: Instant })
const resultOf = (item: Schema) => object({ kind: Text, item: { anyOf: [item, { type: 'null' }] } })
const Result = { anyOf: [resultOf(Task), resultOf(Note)] }

const shows: Schema = {
  type: 'object',
  additionalProperties: { anyOf: [Values, Task, { type: 'null' }] },
}

const changes: Schema[] = [
  object({ set: { ...setSchema(everyField), additionalProperties: false } }, { base: Version, shows }),
  object({ check: object({ line: Version, text: Text, checked: Flag }) }),
  object({ undo: object({}, { seq: Version, of: Text, isGroup: Flag }), shows }),
]

const Entry: Schema = {
  ...object(
    { mutation: Id, item: Id, order: { type: 'number' }, at: Time },
    {
      kind: { enum: ['task', 'note'] },
      verb: { enum: Object.keys(verbs) },
      to: Text,
      from: Text,
      line: object({ note: Id, number: Version, plain: Text, linked: Text }),
      title: Text,
      group: Text,
      was: Values,
      typed: object({ text: Text, dismissed: { type: 'array', items: Text } }),
      needsItem: Flag,
      status: { enum: ['new', 'sent', 'failed'] },
      // Earlier builds stored it instead of the status.
      isSent: Flag,
      failure: object({ status: { type: 'number' }, reason: Text }),
      // Tabs of an earlier build store a single result.
      answer: { anyOf: [{ type: 'array', items: Result }, Result] },
    },
  ),
  anyOf: changes,
}

const Numbered = { text: Text, version: Version }

const schemas = {
  outbox: Entry,
  'note-draft': object(
    { id: Id, text: Text, stored: object(Numbered) },
    { sent: object({ ...Numbered, mutation: Id }), since: Time },
  ),
  draft: object(
    { values: { type: 'object', additionalProperties: { type: ['string', 'null'] } }, at: Time },
    { base: Task, isWanted: Flag },
  ),
}
export type UnsentKind = keyof typeof schemas
export const unsentKinds = Object.keys(schemas) as UnsentKind[]

const formats = {
  day: isDay,
  time: (text: string) => timeOfDay.test(text),
  'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
}

/** Whether the page can show a value of another build, a file or a damaged storage. The server checks lengths and patterns. */
export const isUnsentValue = (kind: UnsentKind, value: unknown) => matches(value, schemas[kind], { formats })
