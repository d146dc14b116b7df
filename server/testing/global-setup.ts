import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createPostgresServer } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for files that tests create. It is removed when the test run ends. */
    folder: string
    /** A database on the PostgreSQL server that all test files share. */
    postgresUrl: string
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
  const existing = process.env.TEST_POSTGRES_URL
  const postgres = existing ? undefined : await createPostgresServer(folder)
  await postgres?.start()
  project.provide('folder', folder)
  project.provide('postgresUrl', existing || String(postgres?.url('postgres')))
  return async () => {
    await postgres?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
