import { AsyncLocalStorage } from 'node:async_hooks'
import { FairQueue } from './fair-queue.ts'

/** The groups of the running work that take turns, from the widest to the narrowest. Each request has a list of its own. */
export type Groups = readonly string[]

/** The time in milliseconds that the work of one turn of the event loop may take. */
const turnTime = 5

/** The time in milliseconds that one group works before the next one. */
const share = 4

/**
 * The milliseconds for which turns without work follow each other while connections arrive: Node accepts one connection in each
 * turn. A third of the time is left for work.
 */
const acceptTime = 10

/** Smaller texts are parsed, serialized and sent in microseconds, and fit into the buffers of the operating system. */
export const smallBytes = 16 * 1024

const groupsOfWork = new AsyncLocalStorage<Groups>()

/** The server's own work, such as the removal of old data. */
const server: Groups = ['server']

/** Everybody's changes wait for the open transaction, so it has four fifths of the time while others wait. */
const transactions: Groups = ['transactions']
const weightOfTransactions = 4

/** Never waits. */
const probe: Groups = []

const queue = new FairQueue<{ start: () => void; since: number; isTransaction: boolean }>(share)
let endings: (() => void)[] = []
/** The requests that have arrived since the last ones were started. */
let arrived: (() => void)[] = []
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
  runEndings()
  if (queue.size === 0) return
  const now = begin()
  accepting = isConnecting ? (accepting ?? now) : undefined
  isConnecting = false
  if (accepting !== undefined && now - accepting < acceptTime) return
  accepting = undefined
  startNext()
}

/** A function that throws ends the process, like every uncaught error. */
function runEndings() {
  const all = endings
  endings = []
  for (const run of all) run()
}

/** Called when a connection was accepted. The next turn then does no work, so that further connections do not wait. */
export function connected() {
  isConnecting = true
}

/** By then, a piece of work that was started has ended, or waits for another turn. */
const afterMicrotasks = (run: () => void) => queueMicrotask(() => process.nextTick(run))

/** Starts the work that waits, piece by piece, until the time of the turn is over. */
function startNext() {
  const now = performance.now()
  if (piece) queue.charge((now - piece.began) / piece.weight)
  piece = undefined
  const next = now - (began ?? begin()) < turnTime ? queue.take() : undefined
  if (!next) return
  piece = { began: now, weight: next.isTransaction ? weightOfTransactions : 1 }
  if (next.isTransaction) transactionsWaited += now - next.since
  next.start()
  afterMicrotasks(startNext)
}

/**
 * Starts the requests that have arrived, one after the other, and then sends their responses. What the turn has begun ends before,
 * so that each request reads what was stored before it arrived.
 */
function startArrived() {
  const requests = arrived.values()
  arrived = []
  function next() {
    const { value: start } = requests.next()
    if (!start) return runEndings()
    start()
    afterMicrotasks(next)
  }
  runEndings()
  next()
}

/**
 * Called before every piece of work that may take a millisecond. If no piece waits and the current turn of the event loop has
 * time left, returns undefined, and the piece may begin at once. Otherwise the piece must wait for the returned promise, which
 * is resolved in one of the next turns. Networks take turns, and in them accounts.
 */
export function turn(isNew = false): Promise<void> | undefined {
  const now = performance.now()
  if (queue.size === 0 && now - (began ?? begin()) < turnTime) return undefined
  const groups = currentGroups()
  if (groups === probe) return undefined
  const { promise, resolve } = Promise.withResolvers<void>()
  queue.push(groups, { start: resolve, since: now, isTransaction: groups === transactions }, !isNew)
  return promise
}

/** Runs `work` in its turn: at once, if there is time. */
export function inTurn(work: () => void, isNew = false) {
  const wait = turn(isNew)
  if (wait) wait.then(work)
  else work()
}

/** The entries. What is done with each of them is a piece of work. */
export async function* inTurns<Entry>(entries: Iterable<Entry>): AsyncGenerator<Entry, void, void> {
  for (const entry of entries) {
    const wait = turn()
    if (wait) await wait
    yield entry
  }
}

/** Calls `run` when the current turn of the event loop ends, or before that when requests that have arrived are started. */
export function atEndOfTurn(run: () => void) {
  if (began === undefined) begin()
  endings.push(run)
}

/** Runs `work` as work of these groups: in its turn, and everything that it starts too. */
export function runAs(groups: Groups, work: () => void) {
  groupsOfWork.run(groups, () => inTurn(work, true))
}

/**
 * Like `runAs`, for a request that has just arrived. Those that arrive together are started in one callback of the event loop,
 * after the last of them has arrived, so that their queries share a snapshot.
 */
export function runRequestAs(groups: Groups, work: () => void) {
  if (arrived.push(() => runAs(groups, work)) === 1) setImmediate(startArrived)
}

export const currentGroups = (): Groups => groupsOfWork.getStore() ?? server

export const runAsProbe = (work: () => void) => groupsOfWork.run(probe, work)

/** A clock that does not advance while a transaction waits for its turn, because others are served then. */
export const transactionClock = () => performance.now() - transactionsWaited

export const runAsTransaction = <T>(work: () => T): T => groupsOfWork.run(transactions, work)
