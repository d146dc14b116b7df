import { expect, test } from 'vitest'
import { onEveryEngine } from './testing/engines.ts'
import { accountOf } from './testing/stored-rows.ts'
import { serverForAll } from './testing/test-server.ts'

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
    const user = await one.newUser()
    const titlesAtTwo = async () => (await two.as(user.token).tasks()).map(({ title }) => title)
    expect(await titlesAtTwo()).toEqual([])
    const { _id } = await user.addTask({ title: 'Added' })
    expect(await titlesAtTwo()).toEqual(['Added'])
    await user.editTask(_id, draft)
    expect(await titlesAtTwo()).toEqual(['Edited'])
    await user.deleteTask(_id)
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
      Array.from({ length: 20 }, (_, number) => servers[number % 2]?.as(user.token).addTask()),
    )
    const deletes = added.flatMap((task) =>
      servers.map((server) => server.as(user.token).deleteTask(task?._id)),
    )
    const statuses = (await Promise.all(deletes)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect((await accountOf(one.database, user.id)).task_count).toBe(0)
  })
})
