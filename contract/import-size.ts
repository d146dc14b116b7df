import { type Fields, textsOf } from './fields.ts'
import { rowBytes } from './limits.ts'
import { noteFields } from './note-fields.ts'
import { taskFields } from './task-fields.ts'

const utf8 = new TextEncoder()
const bytesOf = (fields: Fields, item: object) =>
  textsOf(fields, item).reduce((sum, text) => sum + utf8.encode(text ?? '').length, 0)

/** The most bytes that these tasks, notes and versions add to what an account stores, if none of them is there. */
export function importedBytes({
  tasks = [],
  notes = [],
  versions = [],
}: {
  tasks?: readonly { title: string; body?: string }[]
  notes?: readonly { text: string }[]
  versions?: readonly { text: string }[]
}): number {
  let bytes = 0
  for (const task of tasks) bytes += bytesOf(taskFields, task) + bytesPerItem
  for (const note of notes) bytes += bytesOf(noteFields, note) + bytesPerItem
  for (const version of versions) bytes += bytesOf(noteFields, version) + bytesPerVersion
  return bytes
}

/** Its creation in the log, and its deletion if it is deleted, with the value before. */
const bytesPerItem = 2 * rowBytes + 32

/** Its row, its number in the log, and the new number of the current text. */
const bytesPerVersion = 3 * rowBytes + 4
