import type { Call, Endpoint } from '#contract/api.ts'
import type { ChangeResults } from '#contract/changes.ts'
import { apiBase, pageVersion } from '#contract/limits.ts'
import type { Problem as ServerProblem } from '#contract/problem.ts'
import type { Task } from '#contract/tasks.ts'
import { createListeners } from './listeners.ts'

type Input<E extends Endpoint> = {
  [Part in 'params' | 'body' as Call<E>[Part] extends undefined ? never : Part]: Call<E>[Part]
} & {
  query?: Call<E>['query']
  headers?: Call<E>['headers']
  signal?: AbortSignal | undefined
  keepalive?: boolean
}

type Arguments<E extends Endpoint> = object extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

/** `cursor`: the list is complete up to this position of the log, or a write was stored there. */
export type Answer<E extends Endpoint> = {
  status: number
  data: Call<E>['response']
  cursor?: string | undefined
}

/** Problems of proxies and of the page itself have no code. */
type Problem = Omit<ServerProblem, 'code'> & Partial<Pick<ServerProblem, 'code'>>

/** A rejected call (RFC 9457), or with `status` 0 a call without an answer. */
export class ProblemError extends Error {
  readonly problem: Problem

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.detail, options)
    this.name = 'ProblemError'
    this.problem = problem
  }

  get status(): number {
    return this.problem.status
  }

  get code(): Problem['code'] {
    return this.problem.code
  }

  reasonFor(field: string): string | undefined {
    return this.problem.errors?.find((error) => error.field === field)?.message
  }
}

/** The answer to a write. It has all items that changed since the cursor `before`. */
export type Write = { before: string; data: Pick<ChangeResults, 'items'> | { task: Task } }

export type Session = {
  token(): string | null
  /** Whether nothing more may be sent: the session has ended or was replaced, also in another tab. */
  isOver(): boolean
  /** Whether the server has ended it. Typed text waits for the next session of the account. */
  hasEnded(): boolean
  /** Whether the login is shown after that. Its calls do not belong to the session. */
  showsLogin(): boolean
  /** Leaves the session that is over. Stays pending, because its caller belongs to the session. */
  leave(): Promise<never>
  /** The server has ended the session. `isGone`: the account was deleted. */
  endByServer(isGone: boolean): void
}

type ClientNeeds = {
  fetch?: typeof fetch
  session: Session
  onNewerServer(): void
  /** Resolves when a cut call counts as a failure, which it does not while its page is left. */
  untilCut(): Promise<void>
}

/** The most milliseconds that changes of others wait for the answer to an own write. */
const shortWait = 1000

/** Specified writes, whose answers may have no body. */
const specifiedWrites = /^(POST|PUT|DELETE) \/(list|user)\//

/** The calls of login and signup, which may follow an ended session in the same document. */
const beginsSession = /^(GET \/user\/validate|POST \/user\/(login|register))$/

export type Client = ReturnType<typeof createClient>

export function createClient({ fetch: given, session, onNewerServer, untilCut }: ClientNeeds) {
  const cursors = createListeners<[cursor: string, write?: Write]>()
  const reaches = createListeners<[isReached: boolean]>()
  const request: typeof fetch = (...call) => (given ?? fetch)(...call)
  /** The number of calls without an answer, and whether the last one had none. */
  let [unreached, isCut] = [0, false]
  const writes = new Set<Promise<unknown>>()

  function reached(isReached: boolean) {
    if (!isReached) unreached++
    if (isReached && !isCut) return
    isCut = !isReached
    reaches.tell(isReached)
  }

  /** After the end of the session no call is sent and none settles: a text could be sent with the token of another account. */
  async function inSession<Result>(endpoint: Endpoint, make: () => Promise<Result>): Promise<Result> {
    if (session.isOver())
      return session.showsLogin() && beginsSession.test(endpoint) ? make() : session.leave()
    try {
      return await make()
    } finally {
      if (session.isOver()) await session.leave()
    }
  }

  async function answerTo<E extends Endpoint>(endpoint: E, input: Input<E> | undefined): Promise<Answer<E>> {
    const token = session.token()
    const { response, text } = await inSession(endpoint, async () => {
      const response = await send(endpoint, input)
      return { response, text: await response.text().catch(throwCut) }
    })
    const isSilent = text === '' && specifiedWrites.test(endpoint)
    const data = isSilent ? {} : parsed(text)
    if (response.ok && data === undefined) throwUnreachable(undefined, pageInstead(response))
    if (!response.ok) throwRefusal(endpoint, response, data, token)
    const cursor = response.headers.get('changes-cursor') ?? undefined
    const before = response.headers.get('changes-cursor-before')
    const write = before === null ? undefined : { before, data: data as Write['data'] }
    if (cursor !== undefined) cursors.tell(cursor, write)
    return { status: response.status, data: data as Answer<E>['data'], cursor }
  }

  async function send(endpoint: Endpoint, input: object | undefined): Promise<Response> {
    const { params, query, headers, body, signal, keepalive } = (input ?? {}) as LooseInput
    const [method = '', path = ''] = endpoint.split(' ')
    const unreachedBefore = unreached
    const response = await request(apiBase + pathWith(path, params) + search(query), {
      method,
      headers: headersOf(session.token(), headers, body !== undefined),
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
      keepalive: keepalive ?? false,
    }).catch(throwCut)
    // If another call has failed since this one was sent, the answer says nothing about the connection now.
    if (unreached === unreachedBefore) reached(true)
    return response
  }

  /** Throws for an unexpected answer. A page with 401 or 403 comes from a proxy, and says nothing about the session. */
  function throwRefusal(endpoint: Endpoint, response: Response, data: unknown, token: string | null): never {
    const { status } = response
    const page = pageInstead(response)
    if (page && (status === 401 || status === 403)) throwUnreachable(undefined, page)
    // A plain reload would show this build again.
    if (status === 412) onNewerServer()
    const problem = problemOf(response, data)
    // A 403 to a validation ends the session, whoever sent it (specification section 8).
    const isOver = endsSession(problem) || (status === 403 && endpoint === 'GET /user/validate')
    // A late answer to an earlier session says nothing about this one.
    if (isOver && session.token() === token) session.endByServer(problem.code === 'account-gone')
    throw new ProblemError(problem)
  }

  /** Reports a failure, unless the page has aborted the call or is being left. */
  async function throwCut(cause: unknown): Promise<never> {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    await untilCut()
    throwUnreachable(cause)
  }

  function throwUnreachable(
    cause?: unknown,
    detail = 'Cannot reach the server. Check your connection and try again.',
  ): never {
    reached(false)
    throw new ProblemError({ type: 'about:blank', title: 'Unreachable', status: 0, detail }, { cause })
  }

  return {
    /** Makes a call of the contract. Throws a ProblemError for a status that is no success, and for an answer without its data. */
    call<E extends Endpoint>(endpoint: E, ...[input]: Arguments<E>): Promise<Answer<E>> {
      const answer = answerTo(endpoint, input)
      if (!endpoint.startsWith('GET ')) {
        const end = () => writes.delete(answer)
        writes.add(answer)
        answer.then(end, end)
      }
      return answer
    },

    async openStream(endpoint: 'GET /changes/stream', signal: AbortSignal) {
      const token = session.token()
      const response = await inSession(endpoint, () => send(endpoint, { signal }))
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
      if (response.ok && response.body && isStream) return response.body
      const text = response.ok ? await response.body?.cancel() : await response.text()
      return throwRefusal(endpoint, response, parsed(text ?? ''), token)
    },

    isReachable: (signal: AbortSignal): Promise<boolean> =>
      request('/livez', { cache: 'no-store', signal }).then(
        () => true,
        () => false,
      ),

    /** Calls the listener with the cursor of each answer, and with the answer to a write. Returns the function that stops it. */
    onCursor: cursors.subscribe,

    /** Calls the listener after each call without an answer, and after the next call with one. Returns the function that stops it. */
    onReach: reaches.subscribe,

    async afterWrites(work: () => void) {
      if (writes.size > 0)
        await Promise.race([Promise.allSettled(writes), new Promise((end) => setTimeout(end, shortWait))])
      work()
    },
  }
}

type LooseInput = {
  params?: Record<string, string>
  query?: Record<string, string | number | undefined>
  headers?: Record<string, string>
  body?: unknown
  signal?: AbortSignal
  keepalive?: boolean
}

function headersOf(token: string | null, own: Record<string, string> = {}, hasBody: boolean): Headers {
  const given = new Headers({
    'Time-Zone': Intl.DateTimeFormat().resolvedOptions().timeZone,
    'Page-Version': pageVersion,
    ...own,
  })
  if (token) given.set('Authorization', `Bearer ${token}`)
  if (hasBody) given.set('Content-Type', 'application/json')
  return given
}

function pathWith(path: string, params: Record<string, string> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

function search(query: Record<string, string | number | undefined> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A proxy may answer with any body, so missing fields are filled in. */
function problemOf(response: Response, data: unknown): Problem {
  return {
    type: 'about:blank',
    title: response.statusText,
    detail: `The server answered with status ${response.status}.`,
    ...(typeof data === 'object' && data),
    status: response.status,
  }
}

/** Whether the token is no longer valid. A wrong password says nothing about it. */
const endsSession = ({ code = '' }: { code?: string | undefined }) =>
  ['token-invalid', 'account-gone'].includes(code)

const pageInstead = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('text/html')
    ? 'A web page came instead of an answer from the server: this network may require you to log in to it first.'
    : undefined

export const problemFrom = (error: unknown) => (error instanceof ProblemError ? error : undefined)
