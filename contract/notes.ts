import type { XStatic } from 'typebox/schema'
import { ById, type Calls, nextCursor, PageQuery } from './calls.ts'
import { deletedAt, Id, Instant, itemSchema, objectOf } from './fields.ts'
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
const NotePage = objectOf({ notes: { type: 'array', items: NoteSummary } }, { nextCursor })

const NotesQuery = {
  type: 'object',
  properties: {
    ...PageQuery.properties,
    deleted: { type: 'boolean', default: false, description: 'Whether to list the deleted notes instead' },
  },
} as const

const saved = {
  seq: { type: 'integer' },
  at: Instant,
  own: { type: 'boolean', description: 'Whether this session wrote it' },
  by: {
    type: 'string',
    description:
      'The name of the session that wrote it, which may have ended, such as `Firefox on Linux`; empty if it is not known',
  },
} as const

const NoteVersion = objectOf({ ...saved, text: NoteText })
export type NoteVersion = XStatic<typeof NoteVersion>

const Line = { type: ['string', 'null'] } as const

/** The newest text of a note and the earlier ones that are kept, newest first. */
export const NoteVersions = objectOf(
  {
    versions: {
      type: 'array',
      items: {
        ...objectOf({ ...saved, before: Line, after: Line }),
        description:
          'With the first line that differs from the version before, shortened; null where there is none',
      },
    },
  },
  { nextCursor: { type: 'string', description: '?cursor= for earlier versions' } },
)
export type NoteVersions = XStatic<typeof NoteVersions>

const VersionsQuery = {
  type: 'object',
  properties: { cursor: { type: 'string', maxLength: 512, documented: { pattern: '^[0-9]{1,15}$' } } },
} as const

const VersionParams = objectOf({
  id: Id,
  seq: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
})

const Stored = objectOf({ note: Note })
const StoredVersion = objectOf({ version: NoteVersion })

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
