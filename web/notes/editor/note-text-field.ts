import type { Format } from './format.ts'

/**
 * The line that contains the caret: its number from 0 on, and its text. `isOther`: it is known not to be text, but code
 * for example.
 */
export type CaretLine = { number: number; text: string; isOther?: boolean }

export type CaretPlace = { anchor: number; head: number; scrollTop: number }

/** The state that a field passes to the next field of the note. */
export type FieldState = CaretPlace & {
  /** The changes that can be undone, with their text, as the editor stores them. */
  history?: unknown
}

/** A task that a line became. */
export type PlacedTask = {
  isUndone: () => boolean
  /** Undoes or redoes the task if possible, and settles when the text shows the result or the attempt has failed. */
  reverse: (direction: 'undo' | 'redo') => Promise<void> | undefined
}

export type NoteTextField = {
  /** Takes the focus, with the caret at the end. */
  focus: () => void
  /** Takes the focus, with the caret where it is. */
  enter: () => void
  state: () => FieldState
  /** Shows the text that others' changes led to. The caret stays in its place. */
  show: (text: string) => void
  caretLine: () => CaretLine
  /** Types a text at the caret; the person can undo it as typing. */
  type: (text: string) => void
  /** Gives the caret's line or the selection a format, and takes the focus. */
  format: (format: Format) => void
  find: () => void
  /** Marks these words, and shows the line of the first one, with the caret before the word. */
  reveal: (words: readonly string[]) => void
  /** Puts the caret at this position, whose line is shown at the top. */
  goTo: (position: number) => void
  /** Puts the caret at this point of the page. */
  goToPoint: (point: { x: number; y: number }) => void
  /** The line with the caret is becoming a task. Undo and redo reach the task at this place among the typed changes. */
  placeTask: (task: PlacedTask) => void
  remove: () => void
}

export type FieldOptions = {
  text: string
  onEdit: (read: () => string) => void
  onComposition: (isComposing: boolean) => void
}
