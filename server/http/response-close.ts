import type { ServerResponse } from 'node:http'

const callbacks = new WeakMap<ServerResponse, (() => void)[]>()

/**
 * Calls back once the response is sent or its client is gone. All callbacks of a response share one listener: Node warns
 * of a leak beyond ten, and Fastify needs most of them to send a file.
 */
export function onResponseClose(response: ServerResponse, callback: () => void) {
  const known = callbacks.get(response)
  if (known) {
    known.push(callback)
    return
  }
  const all = [callback]
  callbacks.set(response, all)
  response.once('close', () => {
    for (const each of all) each()
  })
}
