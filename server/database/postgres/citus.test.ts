import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { emptyDatabase, onPostgres } from '../../testing/engines.ts'
import { openDatabase } from '../open-database.ts'
import { tables } from '../schema.ts'
import { distributing } from './citus.ts'

const tableNames = Object.keys(tables) as (keyof typeof tables)[]

/** The parts of the catalogue and the functions of Citus 13 that this server uses. */
const stub = `
  create table pg_dist_partition (logicalrelid regclass, partmethod "char");
  create function create_distributed_table(name regclass, key text, colocate_with text default 'default') returns void
    language sql as $$ insert into pg_dist_partition values (name, 'h') $$;
  create function create_reference_table(name regclass) returns void
    language sql as $$ insert into pg_dist_partition values (name, 'n') $$;
  create function get_shard_id_for_distribution_column(name regclass, key uuid) returns bigint
    language sql as $$ select 102008 + get_byte(uuid_send(key), 15) / 8 $$`

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
  const shards = new Map([
    [ids[0], '102008'],
    [ids[1], '102039'],
  ])
  expect(await database.shardsOf?.(ids)).toEqual(shards)
  await database.close()
})
