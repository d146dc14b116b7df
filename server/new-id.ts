import { randomUUID } from 'node:crypto'

/** Ids that one millisecond has room for: 12 bits. */
const idsPerMillisecond = 0x1000

let [instant, count] = [0, 0]

/**
 * A UUIDv7 (RFC 9562): ids sort in the order they were made in, so that an index grows at its end. Node's own do not
 * within a millisecond, nor after the clock was set back; here a counter (section 6.2, method 1) sees to that.
 */
export function newId() {
  const now = Date.now()
  count = now > instant ? 0 : (count + 1) % idsPerMillisecond
  instant = count === 0 ? Math.max(now, instant + 1) : instant
  const time = instant.toString(16).padStart(12, '0')
  const order = count.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${randomUUID().slice(19)}`
}
