import type { XStatic } from 'typebox/schema'
import { visible } from './blank.ts'
import { deletedAt, type Fields, InstantOrNull } from './fields.ts'
import { bodyLength, repeatLimits, titleLength } from './limits.ts'
import { noDay, noTime, priorities } from './lists.ts'
import { reminderLimits } from './reminder-times.ts'

export const Priority = { enum: priorities } as const
export type Priority = XStatic<typeof Priority>

/** A civil day, `YYYY-MM-DD`, independent of any time zone, or null: someday. */
const DayOrNull = { type: ['string', 'null'], format: 'day' } as const
/** A wall clock, `HH:MM`, independent of any time zone, or null. */
const TimeOrNull = { type: ['string', 'null'], format: 'time' } as const
const RuleOrNull = {
  type: ['string', 'null'],
  format: 'repeat',
  maxLength: repeatLimits.length,
} as const
/** Whether the next day is counted from the due day or from the completion. */
const RepeatFrom = { enum: ['due', 'done'] } as const
/** Reminders of `reminder-times.ts`, or null: those of the settings. */
const RemindersOrNull = {
  type: ['string', 'null'],
  format: 'reminders',
  maxLength: reminderLimits.length,
} as const
/** The id of the first task of a repeat. */
const IdOrNull = { type: ['string', 'null'], format: 'uuid' } as const
/** Of a task that an import has added, its place in the file, from 1. Otherwise 0. */
const PlaceInFile = { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 } as const
export const Title = {
  type: 'string',
  format: 'text',
  pattern: visible,
  minLength: titleLength.min,
  maxLength: titleLength.max,
} as const
export const Body = { type: 'string', format: 'text', maxLength: bodyLength.max } as const
/** Every field of a task (specification section 3). A new field needs a line here, a migration, and a place on the card. */
export const taskFields = {
  title: {
    schema: Title,
    column: 'title',
    type: 'text',
    label: 'Title',
    isSearched: true,
  },
  body: {
    schema: Body,
    column: 'body',
    type: 'text',
    default: '',
    label: 'Body',
    isLong: true,
    isSearched: true,
  },
  dueDate: { schema: DayOrNull, column: 'due_date', type: 'day', storedNull: noDay, label: 'Due Date' },
  dueTime: {
    schema: TimeOrNull,
    column: 'due_time',
    type: 'time',
    storedNull: noTime,
    needs: 'dueDate',
    default: null,
    label: 'Time',
  },
  priority: { schema: Priority, column: 'priority', type: 'rank', label: 'Priority' },
  repeat: {
    schema: RuleOrNull,
    column: 'repeat',
    type: 'plain',
    needs: 'dueDate',
    default: null,
    label: 'Repeat',
  },
  repeatFrom: {
    schema: RepeatFrom,
    column: 'repeat_from',
    type: 'rank',
    default: 'due',
    label: 'Repeat Counts From',
  },
  repeatDay: { schema: DayOrNull, column: 'repeat_day', type: 'day', needs: 'dueDate', default: null },
  reminders: {
    schema: RemindersOrNull,
    column: 'reminders',
    type: 'plain',
    default: null,
    label: 'Reminders',
  },
  series: { schema: IdOrNull, column: 'series', type: 'plain', isDerived: true, default: null },
  placeInFile: {
    schema: PlaceInFile,
    column: 'place_in_file',
    type: 'number',
    isDerived: true,
    default: 0,
  },
  doneAt: { schema: InstantOrNull, column: 'done_at', type: 'instant', default: null, setBy: 'done' },
  deletedAt,
} as const satisfies Fields
