import { type Expression, sql } from 'kysely'
import { type Field, type Fields, toInstant } from '#contract/fields.ts'
import type { JsonText } from '../database/engine-sql.ts'

export type Stored = string | number | null

/** New or old values of some columns. */
export type Values = Record<string, Stored>

/** A stored item of any kind, without its owner and without the text of searches. */
export type ItemRow = { id: string; version: number; created_at: number; deleted_at: number | null } & Values

/** The instant of a field that is set by true or false, which is null if it is false. */
export const instantOf = (is: boolean, at: Stored | undefined, now: number) => (is ? (at ?? now) : null)

const optionsOf = ({ schema }: Field) => (schema as { enum: readonly string[] }).enum

/** The stored value of a field that is no instant. */
export function toStored(field: Field, value: unknown): Stored {
  if (value === null) return field.storedNull ?? null
  if (field.type === 'rank') return optionsOf(field).indexOf(String(value)) + 1
  return field.type === 'flag' ? Number(value) : (value as Stored)
}

/** The value of a field as clients see it. */
export function toJson(field: Field, value: Stored | undefined): string | number | boolean | null {
  if (value === null || value === undefined || value === field.storedNull) return null
  if (field.type === 'rank') return optionsOf(field)[Number(value) - 1] ?? null
  if (field.type === 'flag') return value === 1
  if (field.type === 'number') return Number(value)
  return field.type === 'instant' ? toInstant(Number(value)) : String(value)
}

/** `toJson` in SQL. */
export function jsonSql(field: Field, json: JsonText): Expression<unknown> {
  const column = sql.ref<number>(field.column)
  if (field.type === 'instant') return json.instant(column)
  if (field.type === 'flag') return sql`${column} = 1`
  if (field.storedNull !== undefined) return sql`nullif(${column}, ${sql.lit(field.storedNull)})`
  if (field.type !== 'rank') return column
  const ranks = optionsOf(field).map(
    (option, index) => sql`when ${sql.lit(index + 1)} then ${sql.lit(option)}`,
  )
  return sql`case ${column} ${sql.join(ranks, sql` `)} end`
}

/** Whether two stored values are the same for merging. Two instants are: an edit only decides whether one is set. */
export const isSame = (fields: Fields, column: string, one: Stored | undefined, other: Stored | undefined) =>
  one === other ||
  (typeof one === 'number' &&
    typeof other === 'number' &&
    Object.values(fields).some((field) => field.column === column && field.type === 'instant'))

/** The bytes of a row's texts that count towards its owner's `stored_bytes`, in SQL. */
export const bytesOfTexts = (columns: readonly string[]) =>
  sql.join<number>(
    columns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`),
    sql` + `,
  )
