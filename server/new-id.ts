import { randomUUID } from 'node:crypto'

/** Ids that one millisecond has room for: the counter has 12 bits. */
const idsPerMillisecond = 0x1000

let [timestamp, counter] = [0, 0]

/**
 * A UUIDv7 (RFC 9562). The ids of one process sort in the order they were made in, so that newest first is a matter of
 * ids and an index grows at its end: a counter (section 6.2, method 1) puts those of one millisecond in order, and the
 * timestamp never goes back with the clock. `crypto.randomUUIDv7` does neither.
 */
export function newId() {
  const now = Date.now()
  counter = now > timestamp ? 0 : (counter + 1) % idsPerMillisecond
  timestamp = counter === 0 ? Math.max(now, timestamp + 1) : timestamp
  const time = timestamp.toString(16).padStart(12, '0')
  const order = counter.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${randomUUID().slice(19)}`
}
