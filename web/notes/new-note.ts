import { randomId } from '../engine/entry.ts'

/** The id of the next note, the same until something is typed: a double click makes one note. */
let unused: string | undefined

export function newNoteId(): string {
  unused ??= randomId()
  return unused
}

export const isNewNoteId = (id: string): boolean => id === unused

export function noteIsUsed(id: string) {
  if (id === unused) unused = undefined
}
