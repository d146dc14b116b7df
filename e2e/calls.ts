import type { Page, Request, Route } from '@playwright/test'
import type { Endpoint } from '#contract/api.ts'
import { apiBase } from '#contract/limits.ts'
import { expect } from './expect.ts'

export type RecordedCall = {
  /** Method and path below the API's base, without the query: `GET /list/getTodayTasks`. */
  call: string
  headers: Record<string, string>
  body: unknown
  /** Whether there was an answer or a failure yet. */
  ended: boolean
}

/** Keeps the page from trying again by itself after a failure: a browser without a connection waits until it is back. */
export const keepFailed = (page: Page) =>
  page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { get: () => false }))

/**
 * Every call the page makes from now on, in order, without those of the dashboard's frame, which no panel waits for: the
 * stream of changes, which is open as long as the dashboard, the reads of changes, which fill the store and follow each write,
 * and the fetch of the settings, which follows the first list of each visit.
 */
export function recordCalls(page: Page): RecordedCall[] {
  const calls: RecordedCall[] = []
  // A new document ends the calls of the one before it: Chromium does not always report that it cancelled them.
  page.on('response', (response) => {
    const request = response.request()
    if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return
    for (const recorded of calls) recorded.ended = true
  })
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/api/')) return
    const path = pathname.replace(apiBase, '')
    const call = `${request.method()} ${path}`
    if (['GET /changes', 'GET /changes/stream', 'GET /settings'].includes(call)) return
    const recorded = { call, headers: request.headers(), body: request.postDataJSON(), ended: false }
    calls.push(recorded)
    const end = () => {
      recorded.ended = true
    }
    request
      .response()
      .then((response) => response?.finished())
      .then(end, end)
  })
  return calls
}

/** These calls without reads, which the view before can have begun. */
export const writesOf = (calls: RecordedCall[]) =>
  calls.map(({ call }) => call).filter((call) => !call.startsWith('GET '))

/**
 * Waits until all of these calls have ended, no change waits to be sent, and the page has rendered two frames: nothing more
 * will appear because of them.
 */
export async function settle(page: Page, calls: RecordedCall[]) {
  await expect.poll(() => page.evaluate(unsentChanges)).toEqual([])
  await expect.poll(() => calls.filter(({ ended }) => !ended).map(({ call }) => call)).toEqual([])
  await page.evaluate(
    () => new Promise<unknown>((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
}

const unsentChanges = () =>
  Object.keys(localStorage).filter(
    (key) => key.startsWith('outbox ') && !('failure' in JSON.parse(localStorage[key] ?? '{}')),
  )

/** `dropped`: the call does not reach the server. `lost`: it does, and its answer does not reach the page. */
type Answer = { status: number; json?: unknown } | 'dropped' | 'lost'

/** Answers a call in place of the server, with a response that a healthy server never sends. */
export function force(page: Page, endpoint: Endpoint, answer: Answer) {
  return intercept(page, endpoint, async (route) => {
    if (typeof answer === 'object') return await route.fulfill({ json: {}, ...answer })
    if (answer === 'lost') await route.fetch()
    await route.abort('connectionreset')
  })
}

/** Keeps a call waiting until the returned function lets it through, to the server or to a forced answer. */
export async function hold(page: Page, endpoint: Endpoint) {
  const released = Promise.withResolvers<void>()
  await intercept(page, endpoint, async (route) => {
    await released.promise
    // The page may have cancelled the call by now.
    await route.fallback().catch(() => {})
  })
  return released.resolve
}

export const requestOf = (page: Page, endpoint: Endpoint) => page.waitForRequest(isCall(endpoint))

export const answerTo = (page: Page, endpoint: Endpoint) =>
  page.waitForResponse((response) => isCall(endpoint)(response.request()))

function isCall(endpoint: Endpoint) {
  const [method, path = ''] = endpoint.split(' ')
  const pattern = new RegExp(`^${apiBase}${path.replace(/:\w+/, '[^/]+')}$`)
  return (request: Request) => request.method() === method && pattern.test(new URL(request.url()).pathname)
}

const anyCall = `${apiBase}/**`

export async function intercept(page: Page, endpoint: Endpoint, handler: (route: Route) => Promise<void>) {
  await page.route(anyCall, (route) =>
    isCall(endpoint)(route.request()) ? handler(route) : route.fallback(),
  )
  if (page.url().startsWith('http')) await untilIntercepted(page)
}

/** Lets all calls through again. Other routes stay: without any, Playwright would handle a call twice that is on its way. */
export const letThrough = (page: Page) => page.unroute(anyCall)

/** Chromium can send a request past the first route of a loaded page, and then Playwright does not report it either. */
async function untilIntercepted(page: Page) {
  const path = '/not-intercepted'
  await page.route(`**${path}`, (route) => route.fulfill({ status: 299 }))
  await expect.poll(() => page.evaluate(async (url) => (await fetch(url)).status, path)).toBe(299)
}

/** An internal error as the server answers it (RFC 9457). */
export const serverError = {
  status: 500,
  json: { type: 'about:blank', title: 'Internal Server Error', status: 500, detail: 'The disk is on fire.' },
}
