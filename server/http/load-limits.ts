/** What all clients together may hold of this process, and what one connection may. */
export type LoadLimits = typeof loadLimits

export const loadLimits = {
  connections: 12_000,
  /** Requests being answered; those of one network are at most 8/9 of them: 2,000. */
  slots: 2250,
  /** A request takes one slot, and another one for each so many bytes of its body. */
  bytesPerSlot: 64 * 1024,
  /** Requests of one connection whose answer has not left; a browser sends the next one after it has the answer. */
  inFlightPerConnection: 8,
  /** Bytes of answers that clients have not taken yet. */
  queuedBytes: 64 * 1024 * 1024,
  /** Bytes of request bodies that have not wholly arrived. */
  unfinishedBodyBytes: 64 * 1024 * 1024,
  /** Milliseconds: a connection of whose answer nothing left for one to two times that is ended. */
  stalledAfter: 10_000,
  /** Milliseconds: a server that had requests and answered none of them for so long is not ready. */
  stuckAfter: 60_000,
}
