import type { XStatic } from 'typebox/schema'
import { noteLength, pageSize } from './limits.ts'
import { Id, Instant, InstantOrNull } from './tasks.ts'

/** Markdown, stored exactly as it was typed. */
export const NoteText = { type: 'string', format: 'text', maxLength: noteLength.max } as const

const Version = { type: 'integer', description: 'The number of the newest change of this note' } as const
const ChangedAt = { ...Instant, description: 'When the text was changed' } as const

export const Note = {
  type: 'object',
  required: ['_id', 'text', 'pinned', 'createdAt', 'changedAt', 'version', 'deletedAt'],
  properties: {
    _id: Id,
    text: NoteText,
    pinned: { type: 'boolean' },
    createdAt: Instant,
    changedAt: ChangedAt,
    version: Version,
    deletedAt: InstantOrNull,
  },
} as const
export type Note = XStatic<typeof Note>

/** A note in lists, without its text. `contract/note-summary.ts` makes `title` and `snippet`. */
export const NoteSummary = {
  type: 'object',
  required: ['_id', 'title', 'snippet', 'pinned', 'createdAt', 'changedAt', 'version', 'deletedAt'],
  properties: {
    _id: Id,
    title: { type: 'string', description: 'The first line that is not blank, shortened; empty without one' },
    snippet: { type: 'string', description: 'The beginning of the lines after the title' },
    pinned: { type: 'boolean' },
    createdAt: Instant,
    changedAt: ChangedAt,
    version: Version,
    deletedAt: InstantOrNull,
  },
} as const
export type NoteSummary = XStatic<typeof NoteSummary>

/** Pinned notes first, then by the time of the newest text; deleted notes by the time of their deletion, newest first. */
export const NotePage = {
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
export type NotePage = XStatic<typeof NotePage>

const NotesQuery = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: pageSize.max, default: pageSize.default },
    cursor: { type: 'string', maxLength: 512 },
    deleted: { type: 'boolean', default: false, description: 'Whether to list the deleted notes instead' },
  },
} as const

/** The text of a note as it was after a change that its history contains. */
export const NoteVersion = {
  type: 'object',
  required: ['seq', 'at', 'own', 'text'],
  properties: {
    seq: { type: 'integer' },
    at: Instant,
    own: { type: 'boolean', description: 'Whether this session wrote it' },
    text: NoteText,
  },
} as const
export type NoteVersion = XStatic<typeof NoteVersion>

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
  'GET /notes': { query: NotesQuery, response: NotePage },
  'GET /notes/:id': { params: ById, response: Stored },
  'GET /notes/:id/versions/:seq': { params: VersionParams, response: StoredVersion },
}
