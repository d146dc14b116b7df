import { sql } from 'kysely'
import { deletedAt, type Fields } from '#contract/fields.ts'
import { Title } from '#contract/task-fields.ts'
import { kindOf } from '../changes/item-kind.ts'
import type { Db } from '../database/schema.ts'

const optional = { schema: { type: ['string', 'null'] }, default: null } as const

/** A third kind of items, which only tests have: with an optional text, an option, a flag and an instant. */
const habitFields = {
  title: { schema: Title, column: 'title', type: 'text', isSearched: true },
  place: { ...optional, column: 'place', type: 'text', isSearched: true },
  every: { schema: { enum: ['day', 'week'] }, column: 'every', type: 'rank', default: 'day' },
  strict: { schema: { type: 'boolean' }, column: 'strict', type: 'flag', default: false },
  kept: { ...optional, column: 'kept_at', type: 'instant', setBy: 'kept' },
  deletedAt,
} as const satisfies Fields

export const habitKind = kindOf({
  name: 'habit',
  table: 'habits',
  fields: habitFields,
  limit: { max: 1000, items: 'habits', count: async () => 0 },
})

/** Creates the table of habits. SQLite stores any type that it does not know as it is. */
export const createHabits = async (db: Db) =>
  void (await sql`create table habits (user_id uuid not null, id uuid not null, version bigint not null,
    created_at bigint not null, deleted_at bigint, kept_at bigint, every integer not null, strict integer not null,
    title text not null, place text, folded text not null, primary key (user_id, id))`.execute(db))
