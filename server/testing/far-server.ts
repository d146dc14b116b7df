import { afterAll, beforeAll } from 'vitest'
import { type Engine, migratedDatabase } from './engines.ts'
import { startProxy, type TcpProxy } from './tcp-proxy.ts'
import { startTestServer, type TestServer } from './test-server.ts'

type Start = Parameters<typeof startTestServer>

/**
 * Starts a server whose connections to PostgreSQL have the delay of a network: races between round trips are visible only if a
 * round trip takes time.
 */
export async function startFarServer(
  engine: Engine,
  url?: URL,
  environment?: Start[1],
  limits?: Start[2],
): Promise<TestServer & { proxy: TcpProxy | undefined }> {
  const near = url ?? (await migratedDatabase(engine))
  const proxy = engine === 'postgres' ? await startProxy(near, { delay: 2 }) : undefined
  const server = await startTestServer(proxy?.url ?? near, environment, limits)
  const close = async () => {
    await server.close()
    proxy?.close()
  }
  return { ...server, proxy, close }
}

/** A far server on the database of another one, for the tests of the surrounding block. */
export function farServerForAll(engine: Engine, near: TestServer, environment?: Start[1]): TestServer {
  const server = {} as TestServer
  beforeAll(async () => void Object.assign(server, await startFarServer(engine, near.url, environment)))
  afterAll(() => server.close())
  return server
}
