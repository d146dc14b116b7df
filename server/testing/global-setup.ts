import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../database/open-database.ts'
import { createPostgresServer } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for files that tests create. It is removed when the test run ends. */
    folder: string
    /** A database on the PostgreSQL server that all test files share. */
    postgresUrl: string
    /** Closed databases with the schema of this version and no rows: a file, and the name of one on this PostgreSQL server. */
    migrated: { sqlite: string; postgres?: string }
  }
}

/**
 * Starts one PostgreSQL server for the test run, or uses the one that TEST_POSTGRES_URL names, such as a pooler or a
 * distributed engine. Each test file creates its own databases on it.
 */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'daymark-test-'))
  // When tests run as root, PostgreSQL runs as another user, which needs read access to this folder.
  await chmod(folder, 0o755)
  const sqlite = join(folder, 'migrated.sqlite')
  await (await openDatabase(pathToFileURL(sqlite))).close()
  project.provide('folder', folder)
  let postgresUrl = process.env.TEST_POSTGRES_URL
  const postgres = postgresUrl ? undefined : await createPostgresServer(folder)
  if (postgres) {
    await postgres.start()
    await postgres.createDatabase('migrated')
    await (await openDatabase(postgres.url('migrated'))).close()
    postgresUrl = postgres.url('postgres').href
  }
  project.provide('postgresUrl', String(postgresUrl))
  project.provide('migrated', { sqlite, ...(postgres && { postgres: 'migrated' }) })
  return async () => {
    await postgres?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
