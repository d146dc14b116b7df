import { beforeEach, vi } from 'vitest'
import type { Task, TaskValues } from '#contract/tasks.ts'
import { serverForAll, type TestServer, type TestUser } from '../../../server/testing/test-server.ts'
import { randomId } from '../entry.ts'

export type Answer = { status: number; headers: Record<string, string>; text: string }

/** An account of the real server, whose answers are remembered. */
export class Account {
  /** The newest cursor, which the stream would send. */
  cursor = ''
  /** With which the server answers all writes, if it does not take them. */
  status: number | undefined
  /** The tasks as answers have ever shown them. */
  versions: Task[] = []
  /** The calls that reached the server, in order, with their bodies. */
  calls: { call: string; body: string }[] = []
  now = Date.now()
  readonly server: TestServer
  readonly user: TestUser

  constructor(server: TestServer, user: TestUser) {
    this.server = server
    this.user = user
  }

  /** Makes a call, of a tab or of another program. */
  async call(call: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    this.calls.push({ call, body: String(body ?? '') })
    const isRefused = this.status !== undefined && !call.startsWith('GET ')
    if (isRefused) return { status: this.status as number, headers: {}, text: '{}' }
    vi.setSystemTime(this.now)
    const answer = await this.user.call(call, { body, headers })
    this.cursor = String(answer.headers['changes-cursor'] ?? this.cursor)
    for (const { item } of answer.json.items ?? []) if (item) this.versions.push(item)
    return answer as Answer
  }

  /** Changes an item as another program does. */
  set = (item: string, set: object) =>
    this.call('POST /changes', { changes: [{ mutation: randomId(), item, set }] })

  /** All tasks, by id. */
  tasks = async () =>
    sorted((await this.user.call('GET /changes')).json.items.map(({ item }) => item as Task))

  /** The log of the server: one row for each change of an item. */
  log = () =>
    this.server.database.read
      .selectFrom('changes')
      .innerJoin('accounts', 'accounts.user_id', 'changes.user_id')
      .select(['seq', 'item', 'mutation', 'event'])
      .where('email', '=', this.user.email)
      // The beginning of the log has no item.
      .where('item', 'is not', null)
      .orderBy('seq')
      .execute()

  /** What of the log was made twice. */
  async repeated() {
    const made = (await this.log()).flatMap(({ mutation, item }) => (mutation ? `${mutation} ${item}` : []))
    return made.filter((each, index) => made.indexOf(each) !== index)
  }
}

export const sorted = (tasks: Iterable<Task>) =>
  [...tasks].sort((one, other) => (one._id < other._id ? -1 : 1))

/** The state of the generator of ids, which gives each script the same ones. */
let ids = 1
const nextByte = () => {
  ids = (ids * 48_271) % 0x7fffffff
  return ids & 0xff
}

export const noon = Date.parse('2026-11-21T12:00Z')

/** Lets scripts set the time and decide when waits end: short timers take a turn, and long ones do not end. Ids are always the same. */
function controlTime() {
  vi.stubGlobal('setTimeout', (work: () => void, delay = 0) => setImmediate(delay < 500 ? work : () => {}))
  vi.stubGlobal('clearTimeout', clearImmediate)
  vi.stubGlobal('crypto', {
    subtle: crypto.subtle,
    getRandomValues: (bytes: Uint8Array) => bytes.map(nextByte),
  })
  vi.useFakeTimers({ toFake: ['Date'], now: noon })
  for (const name of ['warn', 'error'] as const) vi.spyOn(console, name).mockImplementation(() => {})
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  }
}

/** Starts the real server for the tests of a file, in which scripts control the time. Returns the function that opens a new account. */
export function serveAccounts() {
  const server = serverForAll('sqlite')
  beforeEach(controlTime)

  /** Opens an account at noon with these tasks. */
  return async (tasks: readonly Partial<TaskValues>[] = []) => {
    vi.clearAllMocks()
    vi.setSystemTime(noon)
    ids = 1
    const account = new Account(server, await server.newUser())
    const items = tasks.map(() => randomId())
    for (const [index, values] of tasks.entries())
      await account.set(items[index] as string, { dueDate: '2026-11-25', priority: 'low', ...values })
    return { account, ids: items }
  }
}
