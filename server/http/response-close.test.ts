import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { onResponseClose } from './response-close.ts'

test('callbacks of one response share a listener and are all called once, when the response is sent', async () => {
  const called: number[] = []
  const added: number[] = []
  const closed = Promise.withResolvers<void>()
  const server = createServer((_request, response: ServerResponse) => {
    const before = response.listenerCount('close')
    for (const number of [1, 2, 3]) onResponseClose(response, () => called.push(number))
    added.push(response.listenerCount('close') - before)
    onResponseClose(response, closed.resolve)
    expect(called).toEqual([])
    response.end('done')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).then((answer) => answer.text())
  await closed.promise
  expect([called, added]).toEqual([[1, 2, 3], [1]])
  server.close()
})
