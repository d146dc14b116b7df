import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fastify, { type FastifyReply } from 'fastify'
import { expect, test, vi } from 'vitest'
import { defaultsOf } from '#contract/fields.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import { newId } from '../new-id.ts'
import { keepListAnswers } from './list-answers.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Differences between two readings that are not significant, in bytes. */
const noise = 64 * 1024

/** The bytes in use after a garbage collection, buffers included. */
async function bytesInUse() {
  // Buffers are freed after the collection that finds them, in another thread, and counted as freed at a later one.
  let [lowest, unchanged] = [Number.POSITIVE_INFINITY, 0]
  while (unchanged < 5) {
    await new Promise(setImmediate)
    collectGarbage()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    unchanged = heapUsed + arrayBuffers < lowest - noise ? 0 : unchanged + 1
    lowest = Math.min(lowest, heapUsed + arrayBuffers)
  }
  return lowest
}

const keptBytes = 32 * 1024 * 1024

/** The bytes that the process may use for other things in the meantime, such as compiled code. */
const besides = 6 * 1024 * 1024

const taskWith = (body: string): Task => ({
  _id: newId(),
  title: 'Water the plants',
  ...defaultsOf(taskFields),
  body,
  dueDate: '2026-11-21',
  priority: 'low',
  createdAt: '2026-11-21T12:00:00.000Z',
  version: 1,
})

/** The text of a response, in the pieces from which V8 joins it. */
const textOf = (lists: Task[]) => `{"lists":[${lists.map((task) => JSON.stringify(task)).join()}]}`

test.each([
  // 60 MB if all were kept.
  ['of long texts of emoji', [taskWith('😀'.repeat(100_000))], 150],
  // 60 MB if all were kept as the pieces that the serializer joins, three times the size of the flat text.
  ['of many short tasks', Array.from({ length: 200 }, () => taskWith('')), 500],
  ['of no tasks', [], 300_000],
])('cached responses %s use no more memory than the limit', async (_, lists, count) => {
  const answer = keepListAnswers(keptBytes)
  const reply = { type: () => reply, header: () => reply, send: () => reply } as unknown as FastifyReply
  const ask = (number: number) =>
    answer(reply, `${newId()} ${number}`, 'change', async () => ({ json: textOf(lists), newest: 'change' }))
  await ask(0)
  const before = await bytesInUse()
  for (let number = 1; number <= count; number++) await ask(number)
  expect((await bytesInUse()) - before).toBeLessThan(keptBytes + besides)
})

test.each([
  ['a short list', ''],
  ['a long list with characters outside ASCII', '😀'.repeat(20_000)],
])('the cached response of %s is the one that was sent first', async (_, body) => {
  const app = fastify()
  const answer = keepListAnswers(keptBytes)
  const lists = [taskWith(body)]
  const make = vi.fn(async () => ({ json: textOf(lists), newest: 'change' }))
  app.get('/list', (_request, reply) => answer(reply, 'list', 'change', make))
  const [first, second] = [await app.inject('/list'), await app.inject('/list')]
  expect(second.json()).toEqual({ lists })
  expect(second.body).toBe(first.body)
  for (const name of ['content-type', 'content-length'])
    expect(second.headers[name]).toBe(first.headers[name])
  expect(make).toHaveBeenCalledTimes(1)
  await app.close()
})
