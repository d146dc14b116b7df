import { afterAll, beforeAll, expect, test } from 'vitest'
import { onEveryEngine } from '../testing/engines.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

onEveryEngine('tasks', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(engine)
  })
  afterAll(() => server.close())

  test('the latest list has the newest task first', async () => {
    const user = await server.newUser()
    for (const title of ['first', 'second', 'third']) await user.addTask({ title })
    const { json } = await user.call('GET /list/getLatestTasks')
    expect(json.lists.map(({ title }) => title)).toEqual(['third', 'second', 'first'])
  })
})
