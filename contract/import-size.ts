/** How much of an account an import takes. This file imports only what imports nothing, so the page can load it at run time. */
import { rowBytes } from './limits.ts'

const utf8 = new TextEncoder()
const bytesOf = (text: string) => utf8.encode(text).length

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
  for (const { title, body = '' } of tasks) bytes += bytesOf(title) + bytesOf(body) + bytesPerItem
  for (const { text } of notes) bytes += bytesOf(text) + bytesPerItem
  for (const { text } of versions) bytes += bytesOf(text) + bytesPerVersion
  return bytes
}

/** Its creation in the log, and its deletion if it is deleted, with the value before. */
const bytesPerItem = 2 * rowBytes + 32

/** Its row, its number in the log, and the new number of the current text. */
const bytesPerVersion = 3 * rowBytes + 4
