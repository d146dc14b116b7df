import { expect, test } from 'vitest'
import { onEveryEngine } from './testing/engines.ts'
import { accountOf } from './testing/stored-rows.ts'
import { serverForAll, type TestServer } from './testing/test-server.ts'

const draft = { title: 'Edited', dueDate: '2026-11-21', priority: 'low' }

onEveryEngine('two servers on one database', (engine) => {
  const one = serverForAll(engine)
  const two = serverForAll(one)

  test('accept accounts and tokens that either of them created', async () => {
    const user = await one.newUser()
    expect((await two.call('GET /user/validate', { token: user.token })).json).toEqual({ valid: true })
    expect((await two.call('POST /user/login', { body: user })).status).toBe(200)
  })

  test('reject a token immediately after the other server revoked it', async () => {
    const { token } = await one.newUser()
    expect((await two.call('GET /list/getLatestTasks', { token })).status).toBe(200)
    await one.call('POST /user/logout', { token })
    expect((await two.call('GET /list/getLatestTasks', { token })).status).toBe(401)
    expect((await two.call('GET /user/validate', { token })).status).toBe(403)
  })

  test('list a change immediately after the other server made it', async () => {
    const { token, addTask } = await one.newUser()
    const titlesAtTwo = async () =>
      (await two.call('GET /list/getLatestTasks', { token })).json.lists.map(({ title }) => title)
    expect(await titlesAtTwo()).toEqual([])
    const { _id } = await addTask({ title: 'Added' })
    expect(await titlesAtTwo()).toEqual(['Added'])
    await one.call(`PUT /list/updateTask/${_id}`, { token, body: draft })
    expect(await titlesAtTwo()).toEqual(['Edited'])
    await one.call(`DELETE /list/deleteTask/${_id}`, { token })
    expect(await titlesAtTwo()).toEqual([])
  })

  test('accept a cursor that the other server issued', async () => {
    const { token, addTask } = await one.newUser()
    const [first, second] = [await addTask({ title: 'first' }), await addTask({ title: 'second' })]
    const page = await one.call('GET /list/getLatestTasks?limit=1', { token })
    expect(page.json.lists).toEqual([second])
    const next = await two.call(`GET /list/getLatestTasks?cursor=${page.json.nextCursor}`, { token })
    expect(next.json).toEqual({ lists: [first] })
  })

  test('count the tasks of a user correctly when both add and delete concurrently', async () => {
    const user = await one.newUser()
    const servers = [one, two]
    const added = await Promise.all(
      Array.from({ length: 20 }, async (_, number) => {
        const server = servers[number % 2] as TestServer
        return (await server.call('POST /list/addTask', { token: user.token, body: draft })).json.task
      }),
    )
    const deletes = added.flatMap(({ _id }) =>
      servers.map((server) => server.call(`DELETE /list/deleteTask/${_id}`, { token: user.token })),
    )
    const statuses = (await Promise.all(deletes)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect((await accountOf(one.database, user.id)).task_count).toBe(0)
  })
})
