import type { Note, NoteSummary } from '#contract/notes.ts'

const instant = '2026-11-21T12:00:00.000Z'
const fields = {
  _id: 'note',
  pinned: false,
  deletedAt: null,
  version: 1,
  createdAt: instant,
  changedAt: instant,
}

/** A note with these values, with its text. */
export const noteWith = (values: Partial<Note>): Note => ({ text: '', ...fields, ...values })

/** A note with these values, as lists have it. */
export const summaryWith = <Values extends Partial<NoteSummary>>(values: Values) => ({
  ...{ title: '', snippet: '', ...fields },
  ...values,
})
