import type { ServerResponse } from 'node:http'

const callbacks = new WeakMap<ServerResponse, (() => void)[]>()

/**
 * Calls `callback` when the response is sent or the client disconnects. All callbacks of a response share one listener:
 * Node warns of a leak at eleven, and Fastify adds up to nine to send a file.
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
