import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fastify, { type FastifyReply } from 'fastify'
import { expect, test, vi } from 'vitest'
import { type Task, TaskPage } from '#contract/tasks.ts'
import { newId } from '../new-id.ts'
import { keepListAnswers, keptBytes } from './list-answers.ts'

// The machine may be busy with much else.
vi.setConfig({ testTimeout: 300_000 })

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Bytes of the heap in use once everything that nothing refers to is gone. */
async function heapInUse() {
  await new Promise(setImmediate)
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** What else the process may come to hold meanwhile: compiled code and the like. */
const besides = 6 * 1024 * 1024

const taskWith = (body: string): Task => ({
  _id: newId(),
  title: 'Water the plants',
  body,
  dueDate: '2026-11-21',
  priority: 'low',
  createdAt: '2026-11-21T12:00:00.000Z',
})

test.each([
  // Two bytes each UTF-16 unit: 60 MB if all were kept.
  ['of long texts of emoji', [taskWith('😀'.repeat(100_000))], 150],
  // Put together from thousands of pieces, which take three times as much as the same text in one: 60 MB.
  ['of many short tasks', Array.from({ length: 200 }, () => taskWith('')), 500],
])('kept answers %s take no more memory than is promised', async (_, lists, count) => {
  const app = fastify()
  const answer = keepListAnswers()
  app.get<{ Params: { key: string } }>(
    '/:key',
    { schema: { response: { 200: TaskPage } } },
    (request, reply) => answer(reply, request.params.key, async () => ({ lists })),
  )
  await app.inject('/0')
  const before = await heapInUse()
  for (let number = 1; number <= count; number++) await app.inject(`/${number}`)
  expect((await heapInUse()) - before).toBeLessThan(keptBytes + besides)
  await app.close()
})

test('nor do those of empty lists, which are small and many', async () => {
  const answer = keepListAnswers()
  const reply = { serialize: JSON.stringify, type: () => reply, send: () => reply } as unknown as FastifyReply
  const ask = (number: number) => answer(reply, `${newId()} ${number}`, async () => ({ lists: [] }))
  await ask(0)
  const before = await heapInUse()
  for (let number = 1; number <= 300_000; number++) await ask(number)
  expect((await heapInUse()) - before).toBeLessThan(keptBytes + besides)
})
