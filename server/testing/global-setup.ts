import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createPostgresServer } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where tests may leave files: the whole folder goes when the run ends. */
    folder: string
    /** A database of the one PostgreSQL server that test files share. */
    postgresUrl: string
  }
}

/** Starts PostgreSQL once for the whole run; each test file makes databases of its own on it. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'daymark-test-'))
  // The account that PostgreSQL runs as on a root machine must reach what is in here.
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
