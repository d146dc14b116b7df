import { afterAll, beforeAll } from 'vitest'
import type {} from '../../../server/testing/global-setup.ts'
import { listen } from '../../../server/testing/raw-client.ts'
import { startTestServer, type TestServer, type TestUser } from '../../../server/testing/test-server.ts'
import { openBrowser } from './test-browser.ts'

/** A server for the tests of a file, on a real database file. */
export function testAccounts() {
  let server: TestServer
  let origin: string
  beforeAll(async () => {
    server = await startTestServer('sqlite')
    origin = await listen(server.app)
  })
  afterAll(() => server.close())

  return {
    newUser: () => server.newUser(),
    /** Opens a browser of an account, by default of a new one, with a tab. */
    async visit(given?: TestUser) {
      const user = given ?? (await server.newUser())
      const browser = openBrowser(origin, user)
      return { user, browser, ...browser, tab: browser.open() }
    },
  }
}

/** The titles of a list as the server has it, sorted: additions in the same millisecond have no order. */
export const titlesOf = async (
  { call }: TestUser,
  list: 'getLatestTasks' | 'getDoneTasks' = 'getLatestTasks',
) => (await call(`GET /list/${list}`)).json.lists.map(({ title }) => title).sort()
