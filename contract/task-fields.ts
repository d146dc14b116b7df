import type { XStatic } from 'typebox/schema'
import { visible } from './blank.ts'
import { deletedAt, type Fields, InstantOrNull } from './fields.ts'
import { bodyLength, titleLength } from './limits.ts'
import { priorities } from './lists.ts'

export const Priority = { enum: priorities } as const
export type Priority = XStatic<typeof Priority>

/** A civil day, `YYYY-MM-DD`, independent of any time zone. */
const Day = { type: 'string', format: 'day' } as const
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
  dueDate: { schema: Day, column: 'due_date', type: 'day', label: 'Due Date' },
  priority: { schema: Priority, column: 'priority', type: 'rank', label: 'Priority' },
  doneAt: { schema: InstantOrNull, column: 'done_at', type: 'instant', default: null, setBy: 'done' },
  deletedAt,
} as const satisfies Fields
