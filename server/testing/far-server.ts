import { onTestFinished } from 'vitest'
import { type Engine, migratedDatabase } from './engines.ts'
import { forAll } from './made-for-tests.ts'
import { startProxy } from './tcp-proxy.ts'
import { startTestServer, type TestServer } from './test-server.ts'

type Start = Parameters<typeof startTestServer>

/**
 * Starts a server whose connections to PostgreSQL have the delay of a network: races between round trips are visible only if a
 * round trip takes time.
 */
async function startFarServer(engine: Engine, url?: URL, environment?: Start[1], limits?: Start[2]) {
  const near = url ?? (await migratedDatabase(engine))
  const proxy = engine === 'postgres' ? await startProxy(near, { delay: 2 }) : undefined
  const server = await startTestServer(proxy?.url ?? near, environment, limits)
  const close = async () => {
    await server.close()
    proxy?.close()
  }
  return { ...server, near, proxy, close }
}

/** A far server for the test that runs. */
export async function farServerForTest(...start: Parameters<typeof startFarServer>) {
  const server = await startFarServer(...start)
  onTestFinished(server.close)
  return server
}

/** A far server on the database of another one, for the tests of the surrounding block. */
export const farServerForAll = (engine: Engine, near: TestServer, environment?: Start[1]): TestServer =>
  forAll(() => startFarServer(engine, near.url, environment))
