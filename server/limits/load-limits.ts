import type { Config } from '../config.ts'

/** Limits for all clients of this process together, and for one connection. */
export type LoadLimits = typeof loadLimits

export const loadLimits = {
  /** If STREAMS allows more or fewer streams, this changes by the same number. */
  connections: 12_000,
  /** New connections that the operating system keeps until the next turn of the event loop. It rejects further ones. */
  newConnections: 4096,
  /** Requests in progress. One network can have at most 8/9 of them: 2,000. */
  slots: 2250,
  /** A request takes one slot, and one more for each of this many bytes of its body. */
  bytesPerSlot: 64 * 1024,
  /** STREAMS. One network can have at most 8/9 of them: 5,333. The other connections are for requests. */
  streams: 6000,
  /** STREAMS_PER_NETWORK: a lower limit of open event streams of one network. */
  streamsPerNetwork: Number.POSITIVE_INFINITY,
  /** STREAMS_PER_USER: about as many as a user has devices. */
  streamsPerOwner: 20,
  /** Exports in progress: each takes a connection to the database, whose state it keeps. One network can have three of four. */
  exports: 4,
  /** In milliseconds: an export that takes longer is ended. */
  longestExport: 3_600_000,
  /** Bytes of received data that is not parsed yet. */
  unparsedBytes: 32 * 1024 * 1024,
  /** Bytes of responses that clients have not read, and of incomplete request bodies. */
  waitingBytes: 64 * 1024 * 1024,
  /** In milliseconds. A connection whose response makes no progress for one to two times this long is closed. */
  stalledAfter: 10_000,
  /** In milliseconds. A server with requests but without a response for this long is not ready. */
  stuckAfter: 60_000,
}

/** The limits, with the changes of the configuration or a test. */
export const limitsOf = ({ streams }: Config, own: Partial<LoadLimits>): LoadLimits => ({
  ...loadLimits,
  connections: loadLimits.connections - loadLimits.streams + streams.max,
  streams: streams.max,
  streamsPerNetwork: streams.perNetwork ?? loadLimits.streamsPerNetwork,
  streamsPerOwner: streams.perUser,
  ...own,
})
