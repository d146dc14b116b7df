/** The line of the text that the caret is in: where it begins, and what it says. */
export type CaretLine = { from: number; text: string }

/** What a field hands over to the one that takes its place. */
export type FieldState = {
  anchor: number
  head: number
  hasFocus: boolean
  scrollTop: number
  /** The text before what was typed in this field, which can be undone in the next one. */
  opened: string
}

/** A field in which a note is written: a text area, or the editor that takes its place. */
export type NoteTextField = {
  focus: () => void
  /** Shows the text that others' changes led to. The caret stays in its place. */
  show: (text: string) => void
  caretLine: () => CaretLine
  /** Replaces a line, if it is still there as it was; the person can undo it as typing. */
  replaceLine: (line: CaretLine, text: string) => boolean
  remove: () => void
}

/** What a field reports and needs. */
export type FieldOptions = {
  label: string
  text: string
  onEdit: (read: () => string) => void
  onComposition: (isComposing: boolean) => void
  onMakeTask: () => void
}
