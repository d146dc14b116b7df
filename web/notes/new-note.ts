import { randomId } from '../engine/entry.ts'

/** The id of the next note. It stays the same until something is typed, so that a double click makes one note. */
let unused: string | undefined

export function newNoteId(): string {
  unused ??= randomId()
  return unused
}

export const isNewNoteId = (id: string): boolean => id === unused

/** Something was typed into this note. */
export function noteIsUsed(id: string) {
  if (id === unused) unused = undefined
}
