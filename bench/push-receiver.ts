import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startPushService } from '../server/testing/push-service.ts'

// A push service in a process of its own, and a page that says where it is, how much it got, and when.

const service = await startPushService()
const arrivals: number[] = []
service.behaviour.answer = (response) => {
  arrivals.push(performance.now())
  service.received.length = 0
  response.writeHead(201).end()
}
const page = createServer((_request, response) => {
  const seconds = ((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)) / 1000
  response.end(JSON.stringify({ origin: service.origin, count: arrivals.length, seconds }))
})
await once(page.listen(0, '127.0.0.1'), 'listening')
console.log(`http://127.0.0.1:${(page.address() as AddressInfo).port}`)
