import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Exchange, parseInTurns } from './parsing-in-turns.ts'

type Request = Exchange['request']

/** A connection whose parser takes `time` milliseconds for each part of the data. */
function connect(current: () => Request | undefined = () => undefined, time = 0) {
  const socket = new PassThrough()
  const parsed: string[] = []
  socket.on('data', (part: Buffer) => {
    parsed.push(part.toString())
    for (const end = performance.now() + time; performance.now() < end; );
  })
  let waiting = 0
  const next = parseInTurns(socket as unknown as Socket, {
    groups: ['clients', 'network'],
    last: () => {
      const request = current()
      return request && { request, isAnswered: false }
    },
    waits: (bytes) => (waiting = bytes && waiting + bytes),
  })
  return { socket, parsed, next, waiting: () => waiting }
}

test('what was read at once is parsed in parts of 16 KiB, which take turns', async () => {
  const { socket, parsed, waiting } = connect(undefined, 10)
  socket.write('x'.repeat(65_536))
  await nextTurn()
  expect(parsed.length).toBeLessThanOrEqual(2)
  await expect.poll(() => parsed.map((part) => part.length)).toEqual(Array(4).fill(16_384))
  expect(waiting()).toBe(0)
})

test('a connection with 64 KiB that wait is not read', async () => {
  const { socket, parsed, next, waiting } = connect(() => request)
  let request: Request | undefined = { complete: true, readableFlowing: null }
  socket.write('x'.repeat(65_536))
  await nextTurn()
  expect([socket.isPaused(), parsed.length, waiting()]).toEqual([true, 0, 65_536])
  request = undefined
  next()
  await expect.poll(() => [parsed.length, socket.isPaused(), waiting()]).toEqual([4, false, 0])
})

test('a body is parsed when it is read', async () => {
  let request: Request | undefined
  const { socket, parsed, next } = connect(() => request)
  socket.write('head\r\n\r\n')
  await expect.poll(() => parsed).toEqual(['head\r\n\r\n'])
  request = { complete: false, readableFlowing: null }
  socket.write('body')
  await nextTurn()
  expect(parsed.length).toBe(1)
  request = { complete: false, readableFlowing: true }
  next()
  await expect.poll(() => parsed).toEqual(['head\r\n\r\n', 'body'])
})

test('the data of a connection that has ended is dropped', async () => {
  const { socket, parsed, next } = connect(() => request)
  let request: Request | undefined = { complete: true, readableFlowing: null }
  socket.write('next\r\n\r\n')
  await nextTurn()
  socket.end()
  request = undefined
  next()
  await nextTurn()
  expect(parsed).toEqual([])
  // A short request that arrives later.
  socket.emit('data', Buffer.from('last\r\n\r\n'))
  await nextTurn()
  expect(parsed).toEqual([])
})

test('of a head that is not complete 1 KiB is parsed, and the rest counts until it is complete', async () => {
  const head = `GET / HTTP/1.1\r\n${'a: bcdefghijklmnopqrstuvwxyz\r\n'.repeat(150)}\r\n`
  const { socket, parsed, waiting } = connect()
  socket.write(head.slice(0, 3000))
  socket.write(head.slice(3000, -1))
  await nextTurn()
  await expect.poll(() => parsed.join('').length).toBeGreaterThan(1000)
  await nextTurn()
  expect(parsed.join('').length).toBeLessThanOrEqual(1024)
  expect(waiting()).toBe(head.length - 1)
  socket.write(head.slice(-1))
  await expect.poll(() => parsed.join('')).toBe(head)
  expect(waiting()).toBe(0)
})

test('a head is parsed whole wherever its parts begin and end', async () => {
  const head = (length: number) => `${'x'.repeat(length - 4)}\r\n\r\n`
  for (const length of [1022, 1023, 1024, 1025, 1026, 1030])
    for (let cut = length - 6; cut < length; cut++) {
      const { socket, parsed } = connect()
      socket.write(head(length).slice(0, cut))
      await nextTurn()
      socket.write(head(length).slice(cut))
      await expect.poll(() => parsed.join(''), { interval: 1 }).toBe(head(length))
    }
})
