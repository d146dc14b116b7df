import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { firstId, newId } from '../../new-id.ts'
import { findDuePeople } from '../../reminders/due-reminders.ts'
import { findUsersToRenew } from '../../tasks/task-reminders.ts'
import { emptyDatabase, onPostgres } from '../../testing/engines.ts'
import { addUser } from '../../testing/open-test-database.ts'
import { openDatabase } from '../open-database.ts'
import { tableNames } from '../schema.ts'
import { distributing } from './citus.ts'

/** The parts of the catalogue and the functions of Citus 13 that this server uses. */
const stub = `
  create table pg_dist_partition (logicalrelid regclass, partmethod "char");
  create function create_distributed_table(name regclass, key text, colocate_with text default 'default') returns void
    language sql as $$ insert into pg_dist_partition values (name, 'h') $$;
  create function create_reference_table(name regclass) returns void
    language sql as $$ insert into pg_dist_partition values (name, 'n') $$;
  create function get_shard_id_for_distribution_column(name regclass, key uuid) returns bigint
    language sql as $$ select 102008 + get_byte(uuid_send(key), 15) / 8 $$;
  create function run_command_on_shards(name regclass, command text) returns table (success boolean, result text)
    language plpgsql as $$ begin
      execute format(command, name) into result;
      return query values (true, result), (false, 'ERROR:  connection to the remote node failed');
    end $$`

const close = async (opening: ReturnType<typeof openDatabase>) => (await opening).close()

test('the guide distributes every table', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
  const statements = guide.match(/^select create_(?:distributed|reference)_table\((?!'kysely).*(?=;)/gm)
  expect(statements).toEqual(tableNames.map(distributing))
})

test('a server does not start while a table is not distributed although the users are; a migration distributes it, and polls are grouped by shard', async () => {
  const url = await emptyDatabase('postgres')
  const withoutMigrating = readConfig({ MIGRATE: 'off' }).database
  await onPostgres(url, stub)
  await close(openDatabase(url))
  await close(openDatabase(url, withoutMigrating))
  expect(await onPostgres(url, 'select * from pg_dist_partition')).toEqual([])

  for (const table of tableNames.filter((name) => !['notes', 'versions'].includes(name)))
    await onPostgres(url, distributing(table))
  await expect(openDatabase(url, withoutMigrating)).rejects.toThrow(
    'DATABASE_URL: Citus distributes the table users, but not notes, versions; run "npm run migrate"',
  )
  await close(openDatabase(url))
  const database = await openDatabase(url, withoutMigrating)
  expect(await onPostgres(url, 'select * from pg_dist_partition')).toHaveLength(tableNames.length)
  const ids = ['01a207c5-dcfa-7000-a136-628e36a09400', '01a207c5-dcfa-7000-a136-628e36a094ff']
  const shards = await database.shardsOf?.(ids)
  expect(ids.map((id) => shards?.get(id))).toEqual(['102008', '102039'])
  await database.close()
})

test('while a statement on all shards fails, what can be reached is found shard by shard', async () => {
  const url = await emptyDatabase('postgres')
  await onPostgres(url, stub)
  const opened = await openDatabase(url)
  const ids = await opened.write(async (db) => {
    const people = [await addUser(db), await addUser(db)]
    for (const [index, user_id] of people.entries()) {
      const [due, at] = [1000 + index, { reminder: '0m', remind_at: 1000 + index }]
      const job = { user_id, item: newId(), ...at, due, message: null, state: 'to come' } as const
      await db.insertInto('reminder_jobs').values(job).execute()
    }
    await sql`update users set remind_from = ${firstId} where id = ${people[0]}`.execute(db)
    return people
  })
  const read = opened.read.withPlugin({
    transformQuery() {
      throw new Error('a worker does not run')
    },
    transformResult: async ({ result }) => result,
  })
  const partly = { ...opened, read, isOfOnePart: () => true }
  const due = new Map(ids.map((id, index) => [id, 1000 + index]))
  for (const database of [opened, partly]) {
    expect(await findDuePeople(database, 5000)).toEqual({ due, isAll: true })
    expect(await findUsersToRenew(database)).toEqual([{ id: ids[0] }])
  }
  await opened.close()
})
