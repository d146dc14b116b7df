import type { XStatic } from 'typebox/schema'
import { visible } from './blank.ts'
import { deletedAt, type Fields, InstantOrNull } from './fields.ts'
import { bodyLength, titleLength } from './limits.ts'
import { noDay, noTime, priorities } from './lists.ts'

export const Priority = { enum: priorities } as const
export type Priority = XStatic<typeof Priority>

/** A civil day, `YYYY-MM-DD`, independent of any time zone, or null: someday. */
const DayOrNull = { type: ['string', 'null'], format: 'day' } as const
/** A wall clock, `HH:MM`, independent of any time zone, or null. */
const TimeOrNull = { type: ['string', 'null'], format: 'time' } as const
export const Title = {
  type: 'string',
  format: 'text',
  pattern: visible,
  minLength: titleLength.min,
  maxLength: titleLength.max,
} as const
export const Body = { type: 'string', format: 'text', maxLength: bodyLength.max } as const
/** Every field of a task (specification section 3). A new field needs a line here, a column, and a place in the page. */
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
  doneAt: { schema: InstantOrNull, column: 'done_at', type: 'instant', default: null, setBy: 'done' },
  deletedAt,
} as const satisfies Fields
