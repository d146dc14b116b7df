import { hash, randomUUID } from 'node:crypto'
import { uuidOf } from '#contract/fields.ts'

/** The counter has 12 bits. */
const idsPerMillisecond = 0x1000

let [timestamp, counter] = [0, 0]

/**
 * Returns a UUIDv7 (RFC 9562). The ids of one process sort in order of creation. A counter (section 6.2, method 1) orders the
 * ids of one millisecond. When the clock is set back, the timestamp does not decrease. Lists sort by id for this reason, and
 * new index entries are appended at the end. `crypto.randomUUIDv7` guarantees neither.
 */
export function newId() {
  const now = Date.now()
  counter = now > timestamp ? 0 : (counter + 1) % idsPerMillisecond
  timestamp = counter === 0 ? Math.max(now, timestamp + 1) : timestamp
  const time = timestamp.toString(16).padStart(12, '0')
  const order = counter.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${randomUUID().slice(19)}`
}

export const firstId = '00000000-0000-0000-0000-000000000000'

/** Returns the id of the item that this owner creates with this key, always the same, so that a repeat finds it. A UUIDv8 (RFC 9562). */
export function idFor(owner: string, key: string): string {
  const hex = hash('sha256', `${owner} ${key}`)
  return uuidOf(`${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17, 32)}`)
}
