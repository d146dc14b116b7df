import type { Page, Route } from '@playwright/test'
import type { Endpoint } from '#contract/api.ts'
import { apiBase } from '#contract/limits.ts'

export type RecordedCall = {
  /** Method and path below the API's base, without the query: `GET /list/getTodayTasks`. */
  call: string
  headers: Record<string, string>
  body: unknown
}

/** Every call the page makes from now on, in order. */
export function recordCalls(page: Page): RecordedCall[] {
  const calls: RecordedCall[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/api/')) return
    const path = pathname.replace(apiBase, '')
    calls.push({
      call: `${request.method()} ${path}`,
      headers: request.headers(),
      body: request.postDataJSON(),
    })
  })
  return calls
}

type Answer = { status: number; json?: unknown } | 'dropped'

/** Answers a call in the server's place, for what a healthy server never answers. */
export function force(page: Page, endpoint: Endpoint, answer: Answer) {
  return intercept(page, endpoint, (route) =>
    answer === 'dropped' ? route.abort('connectionreset') : route.fulfill({ json: {}, ...answer }),
  )
}

/** Keeps a call waiting until the returned function lets it through, to the server or to a forced answer. */
export async function hold(page: Page, endpoint: Endpoint) {
  const released = Promise.withResolvers<void>()
  await intercept(page, endpoint, async (route) => {
    await released.promise
    // A page that has lost interest in the answer may have cancelled the call by now.
    await route.fallback().catch(() => {})
  })
  return released.resolve
}

function intercept(page: Page, endpoint: Endpoint, handler: (route: Route) => Promise<void>) {
  const [method, path = ''] = endpoint.split(' ')
  const pattern = new RegExp(`^${apiBase}${path.replace(':id', '[^/]+')}$`)
  return page.route(
    ({ pathname }) => pattern.test(pathname),
    (route) => (route.request().method() === method ? handler(route) : route.fallback()),
  )
}

/** What the server answers with where something is wrong (RFC 9457). */
export const serverError = {
  status: 500,
  json: { type: 'about:blank', title: 'Internal Server Error', status: 500, detail: 'The disk is on fire.' },
}
