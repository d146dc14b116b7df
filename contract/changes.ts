import type { XStatic } from 'typebox/schema'
import { type Calls, ZoneHeader } from './calls.ts'
import { type Fields, Id, Instant, objectOf, setName } from './fields.ts'
import { everyField, ItemSet, type KindName, kinds } from './kinds.ts'
import { changesPerCall } from './limits.ts'

const Version = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const
const Cursor = {
  type: 'string',
  description: 'A position in the log; ?since= returns the changes after it',
} as const

const defaultKind = 'task'

const kindNames = Object.keys(kinds) as [KindName]
const namesIn = (fields: Fields) =>
  Object.entries(fields).flatMap(([name, field]) => (field.isDerived ? [] : [setName(name, field)]))

const without = (names: string[]) => ({ not: { anyOf: names.map((name) => ({ required: [name] })) } })

const variants = kindNames.flatMap((name) => {
  const fields: Fields = kinds[name].fields
  const others = namesIn(everyField).filter((other) => !namesIn(fields).includes(other))
  const based = namesIn(fields).filter((own) => fields[own]?.needsBase)
  const kind = { enum: [name] }
  const required = name === defaultKind ? [] : ['kind']
  return [
    { title: `A ${name}`, required, properties: { kind, set: without([...others, ...based]) } },
    ...based.map((own) => ({
      title: `The ${own} of a ${name}`,
      required: [...required, 'base'],
      properties: { kind, set: { required: [own], ...without(others) } },
    })),
  ]
})

const Mutation = {
  documented: { oneOf: variants },
  ...objectOf(
    {
      mutation: {
        ...Id,
        description:
          'The client’s id of this mutation. If it is sent again for the same item within 30 days, it is not applied again, even if it changed nothing the first time. A mutation that was a conflict is applied if it is sent again',
      },
      item: {
        ...Id,
        description:
          'The id of a task or note; a new id creates one. The id of an item that was removed for good cannot be given to one of another kind for 30 days',
      },
      set: ItemSet,
    },
    {
      kind: { enum: kindNames, default: defaultKind, description: 'The kind of the item' },
      base: {
        ...Version,
        description:
          'The version that was edited; 0 if the item must not differ yet, or if it is the next task of a repeat as it was made; without it, the last write wins',
      },
      at: {
        ...Instant,
        description:
          'When the change was made, as the client’s device says, if it is sent later: the `createdAt` of a new item, and the `doneAt` of a task that is completed. A time in the future counts as now, and one that is more than 30 days ago as 30 days ago, so that no change is lost because of it. The order of changes, merging and `deletedAt` do not depend on it: what is deleted can be restored for 30 days after the server has deleted it',
      },
      day: {
        type: 'string',
        format: 'day',
        description:
          'The civil day of the device when the change was made: a completed repeat goes on after it. A day that is more than one from `at` in UTC counts as the current day in the time zone of the caller',
      },
      group: {
        ...Id,
        description:
          'Changes with the same group can be undone together. A text that is saved with a group begins a new version of the note, so that this change can be undone',
      },
    },
  ),
} as const

const ChangeBatch = {
  ...objectOf({ changes: { type: 'array', minItems: 1, maxItems: changesPerCall, items: Mutation } }),
  examples: [
    {
      changes: [
        {
          ...{
            mutation: '01a1fbec-e0c4-7d05-9f1e-3a7c52d8b640',
            item: '01a1fbec-df28-741d-85d9-08c2d1fcac18',
          },
          ...{ kind: 'note', base: 0, set: { text: '# Ferry\n\n- 8:40' } },
        },
      ],
    },
  ],
} as const

/**
 * The entries of a response, each of one kind of items. The serializer writes them as they are: choosing among schemas would
 * validate each entry.
 */
const ofKinds = <Schemas extends Record<KindName, object>>(schemaOf: (kind: KindName) => object) =>
  ({ documented: { anyOf: kindNames.map(schemaOf) } }) as unknown as { anyOf: [Schemas[KindName]] }

const nullable = <const Schema extends object>(schema: Schema) =>
  ({ ...schema, type: ['object', 'null'] }) as unknown as { anyOf: [Schema, { type: 'null' }] }

const outcome = {
  enum: ['applied', 'merged', 'duplicate', 'conflict'],
  description:
    'merged: other fields were changed since `base`; duplicate: this mutation was applied before; conflict: it was not applied',
} as const

const resultOf = <const Kind extends KindName>(kind: Kind) =>
  ({
    type: 'object',
    required: ['kind', 'outcome', 'item'],
    properties: {
      kind: { enum: [kind] },
      outcome,
      seq: {
        ...Version,
        description:
          'The number of the change, which its undo names; of a duplicate, that of the first time. Absent if it changed nothing',
      },
      item: nullable<(typeof kinds)[Kind]['item']>(kinds[kind].item),
    },
  }) as const

export const ChangeResults = objectOf({
  items: {
    type: 'array',
    items: ofKinds<{ [Kind in KindName]: ReturnType<typeof resultOf<Kind>> }>(resultOf),
    description: 'The item of each change as it is now, or null if it does not exist',
  },
  cursor: Cursor,
})
export type ChangeResults = XStatic<typeof ChangeResults>

const SinceQuery = {
  type: 'object',
  properties: {
    since: {
      type: 'string',
      maxLength: 256,
      documented: {
        pattern:
          '^[0-9]{1,15}\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\\.[0-9]{1,15}\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\\.[a-z]+\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?)?$',
      },
      description: 'A cursor; without it, the response begins with all items',
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: changesPerCall,
      description: `At most so many items; without it, ${changesPerCall}, or as many as are 1 MiB while all items are read`,
    },
  },
} as const

const changed = <const Kind extends KindName>(kind: Kind) =>
  objectOf({ kind: { enum: [kind] }, item: kinds[kind].shown as (typeof kinds)[Kind]['shown'] })

/**
 * The changes since a cursor, or only `reset`. A client removes an item only if it is in `purged` or has `deletedAt`: an
 * item that is absent has not changed.
 */
export const Delta = {
  type: 'object',
  properties: {
    purged: {
      type: 'array',
      items: Id,
      description:
        'The ids of items that were removed for good: remove them first, `items` may have them again',
    },
    items: {
      type: 'array',
      items: ofKinds<{ [Kind in KindName]: ReturnType<typeof changed<Kind>> }>(changed),
      description: 'The changed items as they are now; deleted ones have `deletedAt`',
    },
    cursor: Cursor,
    more: { type: 'boolean', description: 'Whether there are more changes after the cursor now' },
    reset: {
      type: 'boolean',
      description:
        'The log does not contain the cursor, for example after a restore: send unsent changes with base 0, because versions may have been assigned again, then begin without a cursor',
    },
  },
} as const
export type Delta = XStatic<typeof Delta>

const UndoParams = objectOf({ seq: { ...Version, minimum: 1 } })
const UndoQuery = {
  type: 'object',
  properties: {
    group: { type: 'boolean', default: false, description: 'Whether to undo all changes of its group' },
  },
} as const

const UndoHeader = {
  type: 'object',
  properties: {
    ...ZoneHeader.properties,
    'idempotency-key': {
      ...Id,
      description:
        'The client’s id of this undo. If it is sent again within 30 days, nothing is undone again',
    },
  },
} as const

const ChangeEvents = {
  type: 'string',
  description:
    'Server-sent events without an end: `data: CURSOR` at once and after every change; several changes may be one event. The response ends with the session.',
} as const

const Purge = {
  ...objectOf({
    items: {
      type: 'array',
      minItems: 1,
      maxItems: changesPerCall,
      items: Id,
      description:
        'The ids of deleted tasks and notes. Others, and those that were restored, are left as they are',
    },
  }),
  examples: [{ items: ['01a1fbec-df28-741d-85d9-08c2d1fcac18'] }],
} as const

const Purged = objectOf({
  purged: {
    type: 'array',
    items: Id,
    description: 'The ids of the tasks and notes that were removed for good',
  },
})

export const changeEndpoints = {
  'POST /changes': {
    access: 'write',
    headers: ZoneHeader,
    body: ChangeBatch,
    response: ChangeResults,
    problems: ['page-outdated', 'over-quota', 'too-many-items'],
    fieldCodes: ['required', 'too-long', 'other-kind', 'needs-date', 'never-occurs'],
  },
  'GET /changes': {
    access: 'read',
    query: SinceQuery,
    response: Delta,
    fieldCodes: ['unknown-cursor'],
  },
  'GET /changes/stream': {
    access: 'read',
    response: ChangeEvents,
    mediaType: 'text/event-stream',
    problems: ['too-many-streams', 'stream-stopping', 'client-gone'],
  },
  'POST /changes/:seq/undo': {
    access: 'write',
    params: UndoParams,
    query: UndoQuery,
    headers: UndoHeader,
    response: ChangeResults,
    problems: [
      'page-outdated',
      'no-such-change',
      'changed-since',
      'text-not-kept',
      'group-too-long',
      'group-too-large',
      'over-quota',
      'too-many-items',
    ],
  },
  'POST /items/purge': { access: 'write', body: Purge, response: Purged },
} satisfies Calls
