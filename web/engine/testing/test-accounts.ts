import { beforeAll } from 'vitest'
import type {} from '../../../server/testing/global-setup.ts'
import { listen } from '../../../server/testing/raw-client.ts'
import { serverForAll, type TestUser } from '../../../server/testing/test-server.ts'
import { openBrowser } from './test-browser.ts'

/** A server for the tests of a file, on a real database file. */
export function testAccounts(environment?: Record<string, string>) {
  const server = serverForAll('sqlite', environment)
  let origin: string
  beforeAll(async () => {
    origin = await listen(server.app)
  })
  /** A browser of its own in which an account is signed in. */
  const browserOf = (user: { token: string }) => openBrowser(origin, user)

  return {
    server,
    browserOf,
    newUser: () => server.newUser(),
    /** Opens a browser of an account, by default of a new one, with a tab. */
    async visit(given?: TestUser) {
      const user = given ?? (await server.newUser())
      const browser = browserOf(user)
      return { user, browser, ...browser, tab: browser.open() }
    },
  }
}

/** The titles of a list as the server has it, sorted: additions in the same millisecond have no order. */
export const titlesOf = async (
  { call }: TestUser,
  list: 'getLatestTasks' | 'getDoneTasks' = 'getLatestTasks',
) => (await call(`GET /list/${list}`)).json.lists.map(({ title }) => title).sort()
