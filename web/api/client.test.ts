import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { ProblemError } from './client.ts'
import { pageClient } from './page-client.ts'

const { call, onReach } = pageClient
const fetched = vi.fn<typeof fetch>()
let token: string | null

beforeEach(() => {
  token = null
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'token' ? token : null) })
  fetched.mockImplementation(async () => Response.json({}))
})

afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockReset()
})

/** The request that the last call made. */
const sent = () => {
  const [path, init] = fetched.mock.lastCall ?? []
  return { path, method: init?.method, body: init?.body, headers: new Headers(init?.headers) }
}

const problemOf = async (answer: Promise<unknown>) => {
  const error = await answer.catch((thrown) => thrown)
  expect(error).toBeInstanceOf(ProblemError)
  return error as ProblemError
}

const draft = { title: 'Paint the mark', dueDate: '2026-11-21', priority: 'high' } as const

test('a call goes to its path below /api/v1, with its parameters escaped', async () => {
  await call('PUT /list/updateTask/:id', { params: { id: 'a/b' }, body: draft })
  expect(sent()).toMatchObject({ method: 'PUT', path: '/api/v1/list/updateTask/a%2Fb' })
  expect(JSON.parse(String(sent().body))).toEqual(draft)
  expect(sent().headers.get('content-type')).toBe('application/json')
})

test('a call without a body has no Content-Type', async () => {
  await call('GET /list/getLatestTasks', { query: { cursor: 'a b', limit: 20 } })
  expect(sent()).toMatchObject({ path: '/api/v1/list/getLatestTasks?cursor=a+b&limit=20', body: null })
  expect(sent().headers.has('content-type')).toBe(false)
})

test('a stored token is sent as a bearer token, and without one there is no Authorization header', async () => {
  await call('GET /user/validate')
  expect(sent().headers.has('authorization')).toBe(false)
  token = 'secret'
  await call('GET /user/validate')
  expect(sent().headers.get('authorization')).toBe('Bearer secret')
})

test('work that waits for own writes begins at once without one, after the answer of each, and after a second without an answer', async () => {
  // Writes of other tests may never get an answer.
  vi.resetModules()
  const { afterWrites, call } = (await import('./page-client.ts')).pageClient
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const work = vi.fn()
  const read = call('GET /user/validate')
  afterWrites(work)
  expect(work).toHaveBeenCalledTimes(1)
  await read
  const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()]
  for (const { promise } of answers) fetched.mockReturnValueOnce(promise)
  const saved = call('PUT /list/updateTask/:id', { params: { id: 'a' }, body: draft })
  const removed = call('DELETE /list/deleteTask/:id', { params: { id: 'b' } }).catch(() => {})
  afterWrites(work)
  answers[0]?.resolve(Response.json({}))
  await saved
  await vi.advanceTimersByTimeAsync(999)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(work).toHaveBeenCalledTimes(2)
  afterWrites(work)
  answers[1]?.reject(new TypeError())
  await removed
  await vi.advanceTimersByTimeAsync(0)
  expect(work).toHaveBeenCalledTimes(3)
})

test('every call says which time zone it is made in', async () => {
  await call('GET /list/getTodayTasks')
  expect(sent().headers.get('time-zone')).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
})

test('statuses from 200 to 299 are answers, and the status is returned', async () => {
  fetched.mockResolvedValue(Response.json({ token: 'new' }, { status: 201 }))
  expect(await call('POST /user/login', { body: { email: 'a@b.c', password: 'p' } })).toEqual({
    status: 201,
    data: { token: 'new' },
  })
})

test('a problem document is thrown with its reasons by field', async () => {
  const errors = [{ field: 'title', code: 'blank', message: 'must not be blank' }]
  fetched.mockResolvedValue(Response.json({ detail: 'title must not be blank', errors }, { status: 400 }))
  const error = await problemOf(call('POST /list/addTask', { body: draft }))
  expect(error).toMatchObject({ status: 400, message: 'title must not be blank' })
  expect(error.reasonFor('title')).toBe('must not be blank')
  expect(error.reasonFor('body')).toBeUndefined()
})

test('a rejection without a problem document is thrown with its status', async () => {
  fetched.mockResolvedValue(new Response('<h1>Bad gateway</h1>', { status: 502 }))
  const error = await problemOf(call('GET /list/getTodayTasks'))
  expect(error).toMatchObject({ status: 502, message: 'The server answered with status 502.' })
})

test('no answer at all is thrown as status 0, and says what to do', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'))
  const error = await problemOf(call('GET /list/getTodayTasks'))
  const message = 'Cannot reach the server. Check your connection and try again.'
  expect(error).toMatchObject({ status: 0, message })
})

test.each([
  ['POST /changes', ''],
  ['POST /changes', '{"items":[{"ki'],
  ['POST /list/addTask', '<h1>Log in to this network</h1>'],
  ['GET /list/getTodayTasks', ''],
] as const)('an answer to %s with status 200 and the body “%s” counts as none', async (endpoint, body) => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  await problemOf(call('GET /settings'))
  fetched.mockResolvedValue(new Response(body))
  const reached: boolean[] = []
  onTestFinished(onReach((isReached) => reached.push(isReached)))
  expect((await problemOf(call(endpoint as 'GET /list/getTodayTasks'))).status).toBe(0)
  expect(reached).toEqual([true, false])
})

test('a web page in place of an answer counts as none, and is told as what it is', async () => {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  fetched.mockResolvedValue(new Response('<h1>Log in to this network</h1>', { headers }))
  const message = expect.stringMatching(/^A web page came instead of an answer/)
  expect(await problemOf(call('GET /list/getTodayTasks'))).toMatchObject({ status: 0, message })
})

test('a specified write may be answered without a body', async () => {
  fetched.mockResolvedValue(new Response(''))
  expect(await call('POST /list/addTask', { body: draft })).toMatchObject({ status: 200, data: {} })
})

test('an aborted call is thrown as an AbortError', async () => {
  fetched.mockRejectedValue(new DOMException('Given up', 'AbortError'))
  await expect(call('GET /user/validate')).rejects.toMatchObject({ name: 'AbortError' })
})

test('the answer to a call that was sent before another got none does not count as reaching the server', async () => {
  const reached: boolean[] = []
  onTestFinished(onReach((isReached) => reached.push(isReached)))
  const answer = Promise.withResolvers<Response>()
  fetched.mockImplementationOnce(() => answer.promise)
  const early = call('GET /settings')
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  await problemOf(call('GET /changes'))
  answer.resolve(Response.json({}))
  await early
  expect(reached).toEqual([false])
  await call('GET /settings')
  expect(reached).toEqual([false, true])
})

test.each([
  ['POST /user/login', 401, 'wrong-credentials', false],
  ['POST /user/register', 403, 'signup-closed', false],
  ['GET /changes', 403, 'scope-too-narrow', false],
  ['GET /changes', 401, 'token-invalid', true],
  // Without a token there is no session that could have ended: only the validation leads to the login.
  ['GET /changes', 401, 'token-missing', false],
  ['GET /user/validate', 403, 'token-missing', true],
  ['GET /user/validate', 403, undefined, true],
  ['GET /changes', 401, undefined, false],
  ['GET /changes', 403, undefined, false],
] as const)(
  '%s that answers %i with the code %s empties this device: %s',
  async (endpoint, status, code, isEmptied) => {
    const deleteDatabase = vi.fn()
    vi.stubGlobal('indexedDB', { deleteDatabase })
    fetched.mockResolvedValue(Response.json({ code }, { status }))
    expect(await problemOf(call(endpoint as 'GET /changes'))).toMatchObject({ status, code })
    expect(deleteDatabase).toHaveBeenCalledTimes(isEmptied ? 1 : 0)
  },
)

test.each(['GET /user/validate', 'GET /changes', 'POST /list/addTask'] as const)(
  'a web page with 401 or 403 in answer to %s counts as no answer, and removes nothing',
  async (endpoint) => {
    const deleteDatabase = vi.fn()
    vi.stubGlobal('indexedDB', { deleteDatabase })
    for (const status of [401, 403]) {
      const headers = { 'content-type': 'text/html' }
      fetched.mockResolvedValue(new Response('<h1>Forbidden</h1>', { status, headers }))
      expect(await problemOf(call(endpoint as 'GET /changes'))).toMatchObject({ status: 0, code: undefined })
    }
    expect(deleteDatabase).not.toHaveBeenCalled()
  },
)
