import { AsyncLocalStorage } from 'node:async_hooks'
import { FairQueue } from './fair-queue.ts'

/** The party of the running work: the groups that take turns, from the widest to the narrowest. `weight`: how many shares they have, 1 by default. */
export type Party = { readonly groups: readonly string[]; readonly weight?: number }

/** The time in milliseconds that the work of one turn of the event loop may take. */
const turnTime = 5

/** The time in milliseconds that one group works before the next one. */
const share = 4

/** The time in milliseconds of turns in a row without work, in which connections are accepted: Node accepts one in each. */
const acceptTime = 20

/** The time in milliseconds that the work of the next turn after `acceptTime` may take: a third of the time is left for work. */
const turnTimeAfterAccepting = 10

const parties = new AsyncLocalStorage<Party>()

/** The group of the server's own work, such as the removal of old data. */
const server: Party = { groups: ['server'] }

/** Everybody's changes wait for the open transaction, so it has four fifths of the time while others wait. */
const transactions: Party = { groups: ['transactions'], weight: 4 }

/** Never waits. */
const probe: Party = { groups: [] }

const queue = new FairQueue<{ start: () => void; weight: number }>(share)
let endings: (() => void)[] = []
/** The time in milliseconds that the work of the current turn may take. */
let budget = turnTime
/** When the current turn began; undefined if nothing has been done in it. */
let began: number | undefined
/** The piece of work that the queue started last. */
let piece: { began: number; weight: number } | undefined
/** How long transactions have waited for their turns, in milliseconds. */
let transactionsWaited = 0
let isConnecting = false
/** When the turns without work began. */
let accepting: number | undefined

function begin(): number {
  setImmediate(end)
  began = performance.now()
  return began
}

/** Ends a turn, and begins the next one if work waits. The event loop has accepted new requests in between. */
function end() {
  began = undefined
  const due = endings
  endings = []
  // A function that throws ends the process, like every uncaught error.
  for (const run of due) run()
  if (queue.size === 0) return
  const now = begin()
  accepting = isConnecting ? (accepting ?? now) : undefined
  isConnecting = false
  if (accepting !== undefined && now - accepting < acceptTime) return
  budget = accepting === undefined ? turnTime : turnTimeAfterAccepting
  accepting = undefined
  startNext()
}

/** Called when a connection was accepted. The next turn then does no work, so that further connections do not wait. */
export function connected() {
  isConnecting = true
}

/** Starts the work that waits, piece by piece, until the time of the turn is over. */
function startNext() {
  const now = performance.now()
  if (piece) queue.charge((now - piece.began) / piece.weight)
  piece = undefined
  if (now - (began ?? begin()) >= budget) return
  const next = queue.take()
  if (!next) return
  piece = { began: now, weight: next.weight }
  next.start()
  // After the microtasks: by then the piece has ended, or waits for another turn.
  queueMicrotask(() => process.nextTick(startNext))
}

/**
 * Called before every piece of work that may take a millisecond. Returns undefined if the piece may begin at once: nobody
 * waits, and the current turn of the event loop has time left. Otherwise it must wait for the promise, which is resolved in one
 * of the next turns: networks take turns, and in them accounts.
 */
export function turn(isNew = false): Promise<void> | undefined {
  if (queue.size === 0 && performance.now() - (began ?? begin()) < turnTime) return undefined
  const party = parties.getStore() ?? server
  if (party === probe) return undefined
  const { groups, weight = 1 } = party
  const { promise, resolve } = Promise.withResolvers<void>()
  const start = party === transactions ? countingWait(resolve) : resolve
  queue.push(groups, { start, weight }, !isNew)
  return promise
}

function countingWait(start: () => void) {
  const since = performance.now()
  return () => {
    transactionsWaited += performance.now() - since
    start()
  }
}

/** Calls `make` with each entry and returns the results. Each call is a piece of work. */
export async function inTurns<Entry, Made>(entries: Entry[], make: (entry: Entry) => Made): Promise<Made[]> {
  const all: Made[] = []
  for (const entry of entries) {
    const wait = turn()
    if (wait) await wait
    all.push(make(entry))
  }
  return all
}

/** Calls `run` when the current turn of the event loop ends. */
export function atEndOfTurn(run: () => void) {
  if (began === undefined) begin()
  endings.push(run)
}

/** Runs `work` as this party: in its turn, and everything that it starts too. */
export function runAs(party: Party, work: () => void) {
  parties.run(party, () => {
    const wait = turn(true)
    if (wait) wait.then(work)
    else work()
  })
}

/** The party of the running work. Each request has its own. */
export const currentParty = (): Party => parties.getStore() ?? server

/** The groups of the running work. */
export const currentGroups = (): readonly string[] => currentParty().groups

export const runAsProbe = (work: () => void) => parties.run(probe, work)

/** A clock that does not advance while a transaction waits for its turn, because others are served then. */
export const transactionClock = () => performance.now() - transactionsWaited

export const runAsTransaction = <T>(work: () => T): T => parties.run(transactions, work)

/** Binds a callback of an event to the party that runs now. */
export const bound: <F extends (...values: never[]) => unknown>(callback: F) => F = AsyncLocalStorage.bind
