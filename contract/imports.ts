import type { XStatic } from 'typebox/schema'
import type { Calls } from './calls.ts'
import { defaultsOf, Id, Instant, objectOf } from './fields.ts'
import { importsPerCall, notesPerUser, tasksPerUser } from './limits.ts'
import { NoteText, noteFields } from './note-fields.ts'
import { Note } from './notes.ts'
import { taskFields } from './task-fields.ts'
import { Task } from './tasks.ts'

const { version: _, ...taskProperties } = Task.properties
const { version: __, ...noteProperties } = Note.properties

const Import = {
  ...Id,
  description:
    'The client’s id of this import, the same in all its calls. `POST /import/undo` finds by it what was added',
} as const

/** A task as `tasks.jsonl` of an export has it. */
const ImportedTask = {
  type: 'object',
  required: ['_id', 'title', 'dueDate', 'priority', 'createdAt'],
  properties: taskProperties,
  description:
    'The task keeps all its values. A repeat without `series` or `repeatDay` gets both. A done one makes no next task',
} as const

/** A note as `notes.jsonl` of an export has it. */
const ImportedNote = {
  type: 'object',
  required: ['_id', 'text', 'createdAt', 'changedAt'],
  properties: noteProperties,
} as const

/** An earlier text of a note as `versions.jsonl` of an export has it. */
const ImportedVersion = objectOf({
  note: Id,
  at: Instant,
  by: {
    type: 'string',
    format: 'text',
    maxLength: 200,
    description: 'The name of the session that wrote it',
  },
  text: NoteText,
})

/** The lines of an export's files, and the values of what a line of an earlier version lacks. */
export const exportedLines = {
  task: { schema: ImportedTask, defaults: defaultsOf(taskFields) },
  note: { schema: ImportedNote, defaults: defaultsOf(noteFields) },
  version: { schema: ImportedVersion, defaults: {} },
} as const

const listOf = <const Entry extends object>(items: Entry) =>
  ({ type: 'array', maxItems: importsPerCall, items }) as const

/** At most how many of each are as many entries as one call takes. */
const splits = [
  [importsPerCall, 0, 0],
  [0, importsPerCall, 0],
  [0, 0, importsPerCall],
  [150, 50, 0],
  [100, 100, 0],
  [50, 150, 0],
  [100, 0, 100],
  [0, 100, 100],
  [50, 50, 100],
  [66, 67, 67],
] as const

const Batch = {
  ...objectOf(
    { import: Import },
    {
      tasks: listOf(ImportedTask),
      notes: listOf(ImportedNote),
      versions: {
        ...listOf(ImportedVersion),
        description:
          'Earlier texts of notes that an import has added, in this call or before. Those of one note are sent oldest first',
      },
    },
  ),
  documented: {
    anyOf: splits.map(([tasks, notes, versions]) => ({
      properties: {
        tasks: { maxItems: tasks },
        notes: { maxItems: notes },
        versions: { maxItems: versions },
      },
    })),
  },
  description: `At most ${importsPerCall} entries in all. A time in the future counts as now, and one before 1970 as 1970`,
  examples: [
    {
      import: '01a1fbec-e0c4-7d05-9f1e-3a7c52d8b640',
      tasks: [
        {
          ...{ _id: '01a1fbec-df28-841d-85d9-08c2d1fcac18', title: 'Book the ferry', dueDate: '2026-11-21' },
          ...{ priority: 'high', createdAt: '2024-05-01T08:00:00.000Z' },
        },
      ],
      notes: [
        {
          ...{ _id: '01a1fbec-df29-841d-85d9-08c2d1fcac18', text: '# Ferry\n\n- 8:40' },
          ...{ createdAt: '2024-05-01T08:00:00.000Z', changedAt: '2025-05-01T08:00:00.000Z' },
        },
      ],
      versions: [
        {
          ...{ note: '01a1fbec-df29-841d-85d9-08c2d1fcac18', at: '2024-05-01T08:00:00.000Z' },
          ...{ by: 'Firefox on Linux', text: '# Ferry' },
        },
      ],
    },
  ],
} as const

const outcomes = {
  type: 'array',
  items: {
    enum: ['added', 'restored', 'existing'],
    description:
      'restored: it was deleted here, and is as it was before; existing: nothing was changed, because it is here, or is deleted in the import, or because the note of the version is newer or is not here. A repeated call has the outcomes of the first one for what nobody has changed since: what was changed is existing, and what was deleted is restored',
  },
} as const

const Outcomes = objectOf({ tasks: outcomes, notes: outcomes, versions: outcomes })
export type ImportOutcomes = XStatic<typeof Outcomes>

const amountOf = <const Max extends object>(max: Max) =>
  objectOf({ stored: { type: 'integer' }, max: { type: 'integer', ...max } })

/** What an account has, and what it may have. */
const Room = objectOf({
  tasks: amountOf({ examples: [tasksPerUser] }),
  notes: amountOf({ examples: [notesPerUser] }),
  bytes: amountOf({ description: '`contract/import-size.ts` says how many an import adds' }),
})
export type ImportRoom = XStatic<typeof Room>

const Found = objectOf({ room: Room })

const Undo = {
  ...objectOf(
    { import: Import },
    {
      after: {
        type: 'integer',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The `next` of the call before; without it, the undo begins',
      },
    },
  ),
  examples: [{ import: '01a1fbec-e0c4-7d05-9f1e-3a7c52d8b640' }],
} as const

const count = { type: 'integer' } as const
const Undone = objectOf({
  removed: { ...count, description: 'How many of these tasks and notes are deleted now' },
  kept: { ...count, description: 'How many are left as they are, because they were changed since' },
  next: { type: ['integer', 'null'], description: 'Where the next call goes on; null at the end' },
})

/** Tasks and notes from a file. The page reads the file. */
export const importEndpoints = {
  'GET /import': { access: 'read', response: Found },
  /** Adds all of it or nothing. An id that is here adds nothing, so that a call can be repeated. */
  'POST /import': {
    access: 'write',
    body: Batch,
    response: Outcomes,
    problems: ['page-outdated', 'over-quota', 'too-many-items'],
    fieldCodes: ['too-long', 'other-kind', 'needs-date', 'never-occurs'],
  },
  /** Deletes what an import has added and nobody has changed since, as much as one call deletes. It is possible for 30 days. */
  'POST /import/undo': { access: 'write', body: Undo, response: Undone, problems: ['page-outdated'] },
} satisfies Calls
