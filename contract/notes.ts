import type { XStatic } from 'typebox/schema'
import type { Calls } from './calls.ts'
import { deletedAt, Id, Instant, itemSchema } from './fields.ts'
import { pageSize } from './limits.ts'
import { NoteText, noteFields } from './note-fields.ts'

const ChangedAt = { ...Instant, description: 'When the text was changed' } as const

export const Note = itemSchema(noteFields, { changedAt: ChangedAt })
export type Note = XStatic<typeof Note>

/** A note in lists, without its text. `contract/note-summary.ts` makes `title` and `snippet`. */
export const NoteSummary = itemSchema(
  { pinned: noteFields.pinned, deletedAt },
  {
    title: { type: 'string', description: 'The first line that is not blank, shortened; empty without one' },
    snippet: { type: 'string', description: 'The beginning of the lines after the title' },
    changedAt: ChangedAt,
  },
)
export type NoteSummary = XStatic<typeof NoteSummary>

/** Pinned notes first, then by the time of the newest text; deleted notes by the time of their deletion, newest first. */
const NotePage = {
  type: 'object',
  required: ['notes'],
  properties: {
    notes: { type: 'array', items: NoteSummary },
    nextCursor: {
      type: 'string',
      description: 'Send it as ?cursor= to get the next page; absent on the last page',
    },
  },
} as const

const NotesQuery = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: pageSize.max, default: pageSize.default },
    cursor: { type: 'string', maxLength: 512, description: 'A `nextCursor` that this list returned' },
    deleted: { type: 'boolean', default: false, description: 'Whether to list the deleted notes instead' },
  },
} as const

/** The text of a note as it was after a change that its history contains. */
export const NoteVersion = {
  type: 'object',
  required: ['seq', 'at', 'own', 'by', 'text'],
  properties: {
    seq: { type: 'integer' },
    at: Instant,
    own: { type: 'boolean', description: 'Whether this session wrote it' },
    by: {
      type: 'string',
      description:
        'The name of the session that wrote it, which may have ended, such as `Firefox on Linux`; empty if it is not known',
    },
    text: NoteText,
  },
} as const
export type NoteVersion = XStatic<typeof NoteVersion>

const Line = { type: ['string', 'null'] } as const

/** The newest text of a note and the earlier ones that are kept, newest first. */
export const NoteVersions = {
  type: 'object',
  required: ['versions'],
  properties: {
    versions: {
      type: 'array',
      items: {
        type: 'object',
        required: ['seq', 'at', 'own', 'by', 'before', 'after'],
        description:
          'With the first line that differs from the version before, shortened; null where there is none',
        properties: {
          seq: NoteVersion.properties.seq,
          at: Instant,
          own: NoteVersion.properties.own,
          by: NoteVersion.properties.by,
          before: Line,
          after: Line,
        },
      },
    },
    nextCursor: { type: 'string', description: '?cursor= for earlier versions' },
  },
} as const
export type NoteVersions = XStatic<typeof NoteVersions>

const VersionsQuery = {
  type: 'object',
  properties: { cursor: { type: 'string', maxLength: 512, documented: { pattern: '^[0-9]{1,15}$' } } },
} as const

const ById = { type: 'object', required: ['id'], properties: { id: Id } } as const
const VersionParams = {
  type: 'object',
  required: ['id', 'seq'],
  properties: { id: Id, seq: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } },
} as const

const Stored = { type: 'object', required: ['note'], properties: { note: Note } } as const
const StoredVersion = { type: 'object', required: ['version'], properties: { version: NoteVersion } } as const

/** Notes are written by `POST /changes`. */
export const noteEndpoints = {
  'GET /notes': {
    access: 'read',
    query: NotesQuery,
    response: NotePage,
    fieldCodes: ['unknown-cursor'],
  },
  'GET /notes/:id': {
    access: 'read',
    params: ById,
    response: Stored,
    problems: ['no-such-note'],
  },
  'GET /notes/:id/versions': {
    access: 'read',
    params: ById,
    query: VersionsQuery,
    response: NoteVersions,
    problems: ['no-such-note'],
    fieldCodes: ['unknown-cursor'],
  },
  'GET /notes/:id/versions/:seq': {
    access: 'read',
    params: VersionParams,
    response: StoredVersion,
    problems: ['no-such-version'],
  },
} satisfies Calls
