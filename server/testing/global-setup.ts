import type { TestProject } from 'vitest/node'
import { createPostgresServer } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A database of the one PostgreSQL server that all test files share. */
    postgresUrl: string
  }
}

/** Starts PostgreSQL once for the whole run; each test file makes databases of its own on it. */
export default async function setup(project: TestProject) {
  const server = await createPostgresServer()
  await server.start()
  project.provide('postgresUrl', server.url('postgres').href)
  return async () => {
    await server.stop()
    await server.remove()
  }
}
