import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Returns a port of this machine that nobody uses, for a server that opens it later. It is below those that operating systems
 * give to connections and to other servers, so none of them has it by then.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_768)
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return freePort()
  }
  probe.close()
  await once(probe, 'close')
  return port
}
