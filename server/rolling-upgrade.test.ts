import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { migrations } from './database/migrate.ts'
import { onPostgres } from './testing/engines.ts'
import { exampleMigrations } from './testing/example-migrations.ts'
import { runServer, type ServerProcess, startServer } from './testing/server-process.ts'
import { ada, storedDatabase } from './testing/stored-database.ts'

const known = Object.keys(migrations)
const [expanding, contracting] = Object.keys(exampleMigrations)
const later = { NODE_OPTIONS: `--import=${new URL('testing/later-version.ts', import.meta.url)}` }

const migrate = (environment: Record<string, string>, ...options: string[]) =>
  promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, 'database/migrate-command.ts'), ...options],
    { env: environment },
  )

const readiness = async ({ api }: ServerProcess) => {
  const { status } = await fetch(new URL('/readyz', api))
  return status
}

test('servers of two versions serve one database until the schema is contracted; then only the later one is ready and starts', async () => {
  const url = await storedDatabase('postgres', '0.1.0')
  const environment = { DATABASE_URL: url.href }
  const names = async () =>
    (await onPostgres(url, 'select name from kysely_migration order by name')).map(({ name }) => name)
  const earlier = await startServer(environment)
  const { token } = (await earlier.call('POST /user/login', { body: ada })).json

  const upgraded = await startServer({ ...environment, ...later })
  expect(await names()).toEqual([...known, expanding])
  const restarted = await startServer({ ...environment, MIGRATE: 'off' })
  const servers = [earlier, upgraded, restarted]
  for (const server of servers) {
    expect(await readiness(server)).toBe(200)
    const body = { title: 'During the upgrade', dueDate: '2026-11-23', priority: 'low' }
    const { status, json } = await server.call('POST /list/addTask', { token, body })
    expect(status).toBe(200)
    for (const { call } of servers)
      expect((await call('GET /list/getLatestTasks', { token })).json.lists[0]?._id).toBe(json.task._id)
  }
  await restarted.stop()

  await migrate({ ...environment, ...later })
  expect(await names()).toEqual([...known, expanding])
  await migrate({ ...environment, ...later }, '--contract')
  expect(await names()).toEqual([...known, expanding, contracting])
  await expect.poll(() => readiness(earlier)).toBe(503)
  expect(await readiness(upgraded)).toBe(200)
  expect((await upgraded.call('GET /list/getLatestTasks', { token })).status).toBe(200)
  const { code, stderr } = await runServer(environment)
  expect([code, stderr]).toEqual([1, expect.stringContaining(`has the migration ${contracting}`)])
  for (const server of [earlier, upgraded]) await server.stop()
})
