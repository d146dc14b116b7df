import { summaryOf } from '#contract/note-summary.ts'
import { instantOf, type Kind, type Version } from './item-kind.ts'
import { bytesOfText, type NoteRow, toNote } from './note-row.ts'
import { insertNotes, selectNotes, selectText, sizeOfNotes, updateNote } from './stored-notes.ts'

/** One session's consecutive saves of a note become one version, until it is this old in milliseconds. */
export const versionLength = 5 * 60_000

/** In the logged old values: the number of the change that saved the earlier text, which is in `versions`. */
type Before = { version?: number; pinned?: number; deleted_at?: number | null }

const savedBy = (text: string, { seq, device, now }: { seq: number; device: string; now: number }) => ({
  ...{ text, ...summaryOf(text) },
  ...{ saved_seq: seq, saved_by: device, changed_at: now },
})

const versionOf = (row: NoteRow): Version => ({
  ...{ seq: row.saved_seq, note_id: row.id, at: row.changed_at, device: row.saved_by },
  ...{ thinned: 0, text: row.text },
})

export const noteKind: Kind<NoteRow> = {
  name: 'note',
  table: 'notes',
  columns: ['text', 'pinned', 'deleted_at'],
  fields: ['text', 'pinned', 'deleted'],
  bytesOf: bytesOfText,
  sizeOf: sizeOfNotes,
  select: selectNotes,
  insert: insertNotes,
  update: updateNote,

  create: (id, { text, pinned }, edit) =>
    text === undefined
      ? undefined
      : {
          ...{ id, version: edit.seq, pinned: Number(pinned ?? false) },
          ...{ created_at: edit.now, deleted_at: null, version_since: edit.now },
          ...savedBy(text, edit),
        },

  valuesOf: (set, row, now) => ({
    ...(set.text !== undefined && { text: set.text }),
    ...(set.pinned !== undefined && { pinned: Number(set.pinned) }),
    ...(set.deleted !== undefined && { deleted_at: instantOf(set.deleted, row.deleted_at, now) }),
  }),

  /** A save that continues a version logs no reference, and its earlier text is not kept. */
  edit(row, _fields, { text, pinned, deleted_at }, edit) {
    const before: Before = {}
    let version: Version | undefined
    if (pinned !== undefined && pinned !== row.pinned) {
      before.pinned = row.pinned
      row.pinned = pinned
    }
    if (deleted_at !== undefined && deleted_at !== row.deleted_at) {
      before.deleted_at = row.deleted_at
      row.deleted_at = deleted_at
    }
    if (text !== undefined && text !== row.text) {
      if (!isContinued(row, edit)) {
        version = versionOf(row)
        before.version = version.seq
        row.version_since = edit.now
      }
      Object.assign(row, savedBy(text, edit))
    }
    return { before, ...(version && { version }) }
  },

  async valuesBefore(db, owner, before) {
    const { version, ...values } = before as Before
    if (version === undefined) return values
    const text = await selectText(db, owner, version)
    return text === undefined ? undefined : { ...values, text }
  },

  toResult: (row) => ({ task: null, note: row ? toNote(row) : null }),
}

/** The clocks of servers may differ, so the beginning of the version may be in the future. */
const isContinued = (
  row: NoteRow,
  { device, now, isStep }: { device: string; now: number; isStep: boolean },
) => !isStep && row.saved_by === device && Math.abs(now - row.version_since) < versionLength
