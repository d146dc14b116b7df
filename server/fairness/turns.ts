import { AsyncLocalStorage } from 'node:async_hooks'
import { FairQueue } from './fair-queue.ts'

/** The party of the running work: the groups that take turns, from the widest to the narrowest. `weight`: how many shares they have, 1 by default. */
export type Party = { readonly groups: readonly string[]; readonly weight?: number }

/** The time in milliseconds that the work of one turn of the event loop may take. */
const turnTime = 5

/** The time in milliseconds that one group works before the next one. */
const share = 4

/**
 * The milliseconds for which turns without work follow each other while connections arrive. Node accepts one connection in each
 * turn.
 */
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
/** The requests that have arrived since the last ones were started. */
let arrived: (() => void)[] = []
/** What is called when the current callback of the event loop ends. */
let callbackEndings: (() => void)[] = []
/** Whether the current callback starts further pieces of work. */
let isStarting = false
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
  endings = runAll(endings)
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

/** Calls all of them, and returns an empty list. A function that throws ends the process, like every uncaught error. */
function runAll(functions: (() => void)[]): (() => void)[] {
  for (const run of functions) run()
  return []
}

/** By then, a piece of work that was started has ended, or waits for another turn. */
const afterMicrotasks = (run: () => void) => queueMicrotask(() => process.nextTick(run))

/** Starts the work that waits, piece by piece, until the time of the turn is over. */
function startNext() {
  const now = performance.now()
  if (piece) queue.charge((now - piece.began) / piece.weight)
  piece = undefined
  const next = now - (began ?? begin()) < budget ? queue.take() : undefined
  isStarting = next !== undefined
  if (!next) return endCallback()
  piece = { began: now, weight: next.weight }
  next.start()
  afterMicrotasks(startNext)
}

/** Starts the requests that have arrived, one after the other, and then sends their responses. */
function startArrived() {
  const requests = arrived.values()
  arrived = []
  function next() {
    const { value: start } = requests.next()
    isStarting = start !== undefined
    if (start) {
      start()
      return afterMicrotasks(next)
    }
    endings = runAll(endings)
    endCallback()
  }
  next()
}

function endCallback() {
  if (!isStarting) callbackEndings = runAll(callbackEndings)
}

/**
 * Called before every piece of work that may take a millisecond. If no piece waits and the current turn of the event loop has
 * time left, returns undefined, and the piece may begin at once. Otherwise the piece must wait for the returned promise, which
 * is resolved in one of the next turns. Networks take turns, and in them accounts.
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

/** Calls `run` when the current callback of the event loop has done all its work: before another request can arrive. */
export function atEndOfCallback(run: () => void) {
  if (callbackEndings.push(run) === 1 && !isStarting) afterMicrotasks(endCallback)
}

/** Runs `work` as this party: in its turn, and everything that it starts too. */
export function runAs(party: Party, work: () => void) {
  parties.run(party, () => {
    const wait = turn(true)
    if (wait) wait.then(work)
    else work()
  })
}

/**
 * Like `runAs`, for a request that has just arrived. Those that arrive together are started in one callback of the event loop,
 * after the last of them has arrived, so that their queries share a snapshot.
 */
export function runRequestAs(party: Party, work: () => void) {
  if (arrived.push(() => runAs(party, work)) === 1) setImmediate(startArrived)
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
