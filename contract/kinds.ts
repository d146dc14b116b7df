import type { XStatic } from 'typebox/schema'
import { setSchema } from './fields.ts'
import { noteFields } from './note-fields.ts'
import { Note, NoteSummary } from './notes.ts'
import { taskFields } from './task-fields.ts'
import { Task } from './tasks.ts'

/**
 * The kinds of items that a user has: their fields, and the schemas of a whole item and of its summary in deltas. An id belongs
 * to one item, whatever its kind. A name means the same field in all kinds.
 */
export const kinds = {
  task: { fields: taskFields, item: Task, shown: Task },
  note: { fields: noteFields, item: Note, shown: NoteSummary },
} as const
export type KindName = keyof typeof kinds

export const everyField = { ...taskFields, ...noteFields }

/** New values of an item's fields. For fields such as `deleted` the server sets the current time, or null. */
export const ItemSet = setSchema(everyField)
export type ItemSet = XStatic<typeof ItemSet>
