import { sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'
import { composeEmails, isComposed } from '../composed-emails.ts'
import { derivedTexts } from '../derived-texts.ts'
import type { RowWork } from '../row-work.ts'
import type { Db } from '../schema.ts'

/** The maximum number of rows that one transaction changes. A page of texts of the longest length has 20 MB. */
const rowsPerBatch = 200

/** The maximum number of pages that one transaction reads until it finds a row to change. */
const pagesPerBatch = 50

type Table = keyof typeof derivedTexts
type Key = { user_id: string; id: string }
type Row = Key & { version: number } & Record<string, string>

/** Makes what is derived from texts as this version does, and composes emails. */
export const rows: readonly RowWork[] = [refold('tasks'), refold('notes'), compose]

function refold(table: Table): RowWork {
  return async (db, types, last) => {
    let after = last
    for (let page = 0; page < pagesPerBatch; page++) {
      const found = await itemsAfter(db, table, after)
      const end = found.length === rowsPerBatch ? JSON.stringify(keyOf(found.at(-1) as Row)) : undefined
      if (await storeDerived(db, types, table, found, after)) return end
      if (end === undefined) return
      after = end
    }
    return after
  }
}

const keyOf = ({ user_id, id }: Key): Key => ({ user_id, id })

async function itemsAfter(db: Db, table: Table, last: string | undefined): Promise<Row[]> {
  const { texts, derived } = derivedTexts[table]
  const { user_id, id } = last === undefined ? {} : (JSON.parse(last) as Partial<Key>)
  const behind = last === undefined ? sql`` : sql`where (user_id, id) > (${user_id}, ${id})`
  const names = [...new Set(['user_id', 'id', 'version', ...texts, ...derived])].map((name) => sql.ref(name))
  const { rows } = await sql<Row>`
    select ${sql.join(names)} from ${sql.table(table)} ${behind} order by user_id, id limit ${rowsPerBatch}
  `.execute(db)
  return rows
}

/** Stores the derived columns of rows that have others. Returns whether there were any. */
async function storeDerived(
  db: Db,
  types: ColumnTypes,
  table: Table,
  found: Row[],
  last: string | undefined,
): Promise<boolean> {
  const stale = staleOf(table, found)
  if (stale.length === 0) return false
  await lockUsers(db, stale)
  if ((await update(db, types, table, stale)) < stale.length) {
    // Others have changed rows since they were read. Now that their users are locked, no one does.
    const locked = new Set(stale.map(({ user_id }) => user_id))
    const again = staleOf(table, await itemsAfter(db, table, last))
    const own = again.filter(({ user_id }) => locked.has(user_id))
    await update(db, types, table, own)
  }
  return true
}

/** The rows whose derived columns differ, with these columns as they should be. */
function staleOf(table: Table, found: Row[]): Row[] {
  const { derived, of } = derivedTexts[table]
  return found.flatMap((row) => {
    const wanted = of(row)
    return derived.some((name) => row[name] !== wanted[name]) ? [Object.assign({ ...row }, wanted)] : []
  })
}

/**
 * Changes of items lock their user first, so this waits for them and they wait for this. None of them waits for a second user, so
 * nobody has a deadlock. All engines lock a row on update, even if the update changes nothing.
 */
async function lockUsers(db: Db, of: { user_id: string }[]) {
  const ids = [...new Set(of.map(({ user_id }) => user_id))]
  await db
    .updateTable('users')
    .set((row) => ({ seq: row.ref('seq') }))
    .where('id', 'in', ids)
    .execute()
}

/** Stores derived columns, unless a row has another version. Returns how many rows were changed. */
async function update(db: Db, types: ColumnTypes, table: Table, stale: Row[]): Promise<number> {
  let changed = 0
  // In one statement for each user: a distributed engine can run it on one node.
  for (const [owner, rows] of Map.groupBy(stale, ({ user_id }) => user_id))
    changed += await updateOf(db, types, table, owner, rows)
  return changed
}

async function updateOf(db: Db, { id, instant }: ColumnTypes, table: Table, owner: string, rows: Row[]) {
  const { derived } = derivedTexts[table]
  const names = ['id', 'version', ...derived]
  const values = rows.map((row) => sql`(${sql.join(names.map((name) => row[name]))})`)
  const settings = derived.map((name) => sql`${sql.ref(name)} = data.${sql.ref(name)}`)
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const { numAffectedRows } = await sql`
    with data (${sql.join(names.map((name) => sql.ref(name)))}) as (values ${sql.join(values)})
    update ${sql.table(table)} set ${sql.join(settings)} from data
    where ${column('user_id')} = ${owner} and ${column('id')} = cast(data.id as ${sql.raw(id)})
      and ${column('version')} = cast(data.version as ${sql.raw(instant)})
  `.execute(db)
  return Number(numAffectedRows)
}

async function compose(db: Db, _types: ColumnTypes, last = '') {
  const read = () =>
    db
      .selectFrom('accounts')
      .select(['email', 'user_id'])
      .where('email', '>', last)
      .orderBy('email')
      .limit(rowsPerBatch)
      .execute()
  const found = await read()
  const others = found.filter(({ email }) => !isComposed(email))
  if (others.length > 0) {
    await lockUsers(db, others)
    const locked = new Set(others.map(({ user_id }) => user_id))
    const again = (await read()).filter(({ email, user_id }) => !isComposed(email) && locked.has(user_id))
    await composeEmails(db, again)
  }
  return found.length === rowsPerBatch ? found.at(-1)?.email : undefined
}
