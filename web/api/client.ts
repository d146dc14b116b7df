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

/** The input is optional where no part of it is required. */
type Arguments<E extends Endpoint> = object extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

/** `cursor`: up to which change the answer is complete, for a list, or the cursor after a write. */
export type Answer<E extends Endpoint> = {
  status: number
  data: Call<E>['response']
  cursor?: string | undefined
}

/** Without a code if a proxy or the page itself made it. */
type Problem = Omit<ServerProblem, 'code'> & Partial<Pick<ServerProblem, 'code'>>

/** A call that was rejected (RFC 9457), or that got no answer: then `status` is 0. */
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

  /** Why the named field was rejected, if it was. */
  reasonFor(field: string): string | undefined {
    return this.problem.errors?.find((error) => error.field === field)?.message
  }
}

/** The answer to a write, which has all items that changed since the cursor `before`. */
export type Write = { before: string; data: Pick<ChangeResults, 'items'> | { task: Task } }

/** The session whose calls a client makes. */
export type Session = {
  token(): string | null
  /** Whether nothing more may be sent, because the session has ended or was replaced, also in another tab. */
  isOver(): boolean
  /** Whether the server has ended it. What is typed then waits for the next session of the account. */
  hasEnded(): boolean
  /** Whether the login is shown after that: its calls carry nothing of the session. */
  showsLogin(): boolean
  /** Leaves the session that is over. Stays pending, because what has called it belongs to the session. */
  leave(): Promise<never>
  /** The server has ended the session, because the account `isGone` or for another reason. */
  endByServer(isGone: boolean): void
}

type ClientNeeds = {
  /** Without it, that of the page. */
  fetch?: typeof fetch
  session: Session
  /** The server is of a newer build. */
  onNewerServer(): void
  /** Resolves once a call that was cut is a failure, which it is not while its page is being left. */
  untilCut(): Promise<void>
}

/** In milliseconds: for longer, what others have changed does not wait for the answer to an own write. */
const shortWait = 1000

/** The specified writes, which may be answered without a body. */
const specifiedWrites = /^(POST|PUT|DELETE) \/(list|user)\//

/** The calls of the login and the signup, which carry nothing of the session that has ended in the same document. */
const beginsSession = /^(GET \/user\/validate|POST \/user\/(login|register))$/

export type Client = ReturnType<typeof createClient>

/** Makes the contract's calls for a session. */
export function createClient({ fetch: given, session, onNewerServer, untilCut }: ClientNeeds) {
  const cursors = createListeners<[cursor: string, write?: Write]>()
  const reaches = createListeners<[isReached: boolean]>()
  const request: typeof fetch = (...call) => (given ?? fetch)(...call)
  /** How many calls got no answer, and whether the last one did. */
  let [unreached, isCut] = [0, false]
  /** The writes that have no answer yet. */
  const writes = new Set<Promise<unknown>>()

  function reached(isReached: boolean) {
    if (!isReached) unreached++
    if (isReached && !isCut) return
    isCut = !isReached
    reaches.tell(isReached)
  }

  /**
   * Makes a call for the session. After its end nothing is sent, and no answer arrives: the promise stays pending. Otherwise the text of
   * one account could be sent with the token of the next account.
   */
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
    // The answer to a call that was sent before another got none says nothing about the connection now.
    if (unreached === unreachedBefore) reached(true)
    return response
  }

  /** An answer that is not as expected. A page with 401 or 403 is of a proxy, and says nothing about the session. */
  function throwRefusal(endpoint: Endpoint, response: Response, data: unknown, token: string | null): never {
    const { status } = response
    const page = pageInstead(response)
    if (page && (status === 401 || status === 403)) throwUnreachable(undefined, page)
    // A reload alone would show this build again.
    if (status === 412) onNewerServer()
    const problem = problemOf(response, data)
    // Whoever a 403 to a validation is from (specification section 8).
    const isOver = endsSession(problem) || (status === 403 && endpoint === 'GET /user/validate')
    // A late answer to a call of an earlier session says nothing about this one.
    if (isOver && session.token() === token) session.endByServer(problem.code === 'account-gone')
    throw new ProblemError(problem)
  }

  /** Reports that there is no answer, unless the page has given the call up or is being left. */
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
    /**
     * Makes one of the contract's calls. Statuses 200 to 299 are answers. Every other status throws a ProblemError, and so does an
     * answer without its data, which a cut connection or a network that requires a login can cause.
     */
    call<E extends Endpoint>(endpoint: E, ...[input]: Arguments<E>): Promise<Answer<E>> {
      const answer = answerTo(endpoint, input)
      if (!endpoint.startsWith('GET ')) {
        const end = () => writes.delete(answer)
        writes.add(answer)
        answer.then(end, end)
      }
      return answer
    },

    /** Makes a call whose response does not end, and returns its body. */
    async openStream(
      endpoint: 'GET /changes/stream',
      signal: AbortSignal,
    ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
      const token = session.token()
      const response = await inSession(endpoint, () => send(endpoint, { signal }))
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
      if (response.ok && response.body && isStream) return response.body
      const text = response.ok ? await response.body?.cancel() : await response.text()
      return throwRefusal(endpoint, response, parsed(text ?? ''), token)
    },

    /** Whether the server, or what is in front of it, answers at all. */
    isReachable: (signal: AbortSignal): Promise<boolean> =>
      request('/livez', { cache: 'no-store', signal }).then(
        () => true,
        () => false,
      ),

    /** Calls the listener with the cursor of each answer that has one, and the answer if it is that of a write. Returns the function that stops it. */
    onCursor: cursors.subscribe,

    /** Calls the listener after each call that got no answer, and after the next one that got one. Returns the function that stops it. */
    onReach: reaches.subscribe,

    /** Calls `work` when each write that was made before has its answer, at once if there is none. */
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

/** The value of a text that is JSON; undefined for any other text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A proxy may answer with any body, so missing fields of the problem document are filled in. */
function problemOf(response: Response, data: unknown): Problem {
  return {
    type: 'about:blank',
    title: response.statusText,
    detail: `The server answered with status ${response.status}.`,
    ...(typeof data === 'object' && data),
    status: response.status,
  }
}

/** Whether the server says that the token is not valid, or no longer. A wrong password says nothing about it. */
const endsSession = ({ code = '' }: { code?: string | undefined }) =>
  ['token-invalid', 'account-gone'].includes(code)

/** What is said of an answer that is a web page. */
const pageInstead = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('text/html')
    ? 'A web page came instead of an answer from the server: this network may require you to log in to it first.'
    : undefined

/** The caught error as a ProblemError, if it is one. */
export const problemFrom = (error: unknown): ProblemError | undefined =>
  error instanceof ProblemError ? error : undefined
