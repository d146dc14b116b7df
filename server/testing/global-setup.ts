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

/** Starts one PostgreSQL server for the test run. Each test file creates its own databases on it. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'daymark-test-'))
  // When tests run as root, PostgreSQL runs as another user, which needs read access to this folder.
  await chmod(folder, 0o755)
  const postgres = await createPostgresServer(folder)
  await postgres.start()
  project.provide('folder', folder)
  project.provide('postgresUrl', postgres.url('postgres').href)
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
