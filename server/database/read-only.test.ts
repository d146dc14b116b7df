import { expect, test } from 'vitest'
import { emptyDatabase, onPostgres } from '../testing/engines.ts'
import { endAllOthers } from '../testing/postgres-queries.ts'
import { serverForTest } from '../testing/test-server.ts'

test('while PostgreSQL accepts no changes, changes get a 503 and the server is unready', async () => {
  const url = await emptyDatabase('postgres')
  const server = await serverForTest(url)
  const user = await server.newUser()
  const task = await user.addTask()
  const readiness = async () => (await server.app.inject('/readyz')).statusCode
  const add = () =>
    user.call('POST /list/addTask', { body: { title: 'Late', dueDate: '2026-11-21', priority: 'low' } })
  expect(await readiness()).toBe(200)

  // As after a failover: sessions that began before keep the mode of the server that they reached.
  const database = url.pathname.slice(1)
  await onPostgres(url, `alter database ${database} set default_transaction_read_only = on`)
  await onPostgres(url, endAllOthers)
  await expect.poll(() => readiness()).toBe(503)
  await expect.poll(async () => (await add()).text).toContain('accepts no changes')
  expect(await add()).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  expect(await user.tasks()).toEqual([task])

  const off = `alter database ${database} set default_transaction_read_only = off`
  await onPostgres(url, `begin read write; ${off}; commit`)
  await expect.poll(async () => (await add()).status).toBe(200)
  await expect.poll(() => readiness()).toBe(200)
})
