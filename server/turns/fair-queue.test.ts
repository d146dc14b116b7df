import { array, assert, constantFrom, property } from 'fast-check'
import { expect, test, vi } from 'vitest'
import { FairQueue } from './fair-queue.ts'

/** Takes all entries, each of which uses the time that `costs` has for its first letter. */
function drain(queue: FairQueue<string>, costs: Record<string, number> = {}) {
  const taken: string[] = []
  for (let entry = queue.take(); entry !== undefined; entry = queue.take()) {
    queue.charge(costs[entry.charAt(0)] ?? 1)
    taken.push(entry)
  }
  return taken.join('')
}

test('A group whose entries take ten times as much gets a tenth of the turns', () => {
  const queue = new FairQueue<string>(1)
  for (let count = 0; count < 3; count++) queue.push(['slow'], 's')
  for (let count = 0; count < 30; count++) queue.push(['quick'], 'q')
  const order = drain(queue, { s: 10 })
  expect(order.indexOf('s', 1)).toBeGreaterThanOrEqual(9)
  expect(order.replaceAll('q', '')).toBe('sss')
})

test('A new group is served before those that came earlier, but only once', () => {
  const queue = new FairQueue<string>(1)
  for (const name of ['a', 'b', 'c']) for (let count = 0; count < 3; count++) queue.push([name], name)
  for (let count = 0; count < 3; count++) {
    queue.take()
    queue.charge(1)
  }
  queue.push(['new'], 'n')
  queue.push(['new'], 'n')
  expect(drain(queue)).toBe('nabcnabc')
})

test('A group waits for few new groups, however many of them come', () => {
  const queue = new FairQueue<string>(1)
  queue.push(['known'], 'k')
  expect(queue.take()).toBe('k')
  queue.charge(1)
  for (let count = 0; count < 5; count++) queue.push(['known'], 'k')
  const taken = Array.from({ length: 40 }, (_, number) => {
    queue.push([`new ${number}`], 'n')
    const entry = queue.take()
    queue.charge(1)
    return entry
  })
  expect(taken.filter((entry) => entry === 'k')).toHaveLength(5)
})

test('Groups that have nothing left to take are removed while new ones keep coming', () => {
  const queue = new FairQueue<string>(1)
  const [set, remove] = [vi.spyOn(Map.prototype, 'set'), vi.spyOn(Map.prototype, 'delete')]
  for (let number = 0; number < 1000; number++) {
    queue.push([`new ${number}`], 'n')
    queue.take()
    queue.charge(0.5)
  }
  const kept = set.mock.calls.length - remove.mock.calls.length
  set.mockRestore()
  remove.mockRestore()
  expect(kept).toBeLessThan(20)
})

test('The accounts of one network share its turns', () => {
  const queue = new FairQueue<string>(1)
  for (let account = 0; account < 5; account++) queue.push(['network a', `account ${account}`], 'a')
  for (let count = 0; count < 5; count++) queue.push(['network b', 'one'], 'b')
  expect(drain(queue)).toBe('ababababab')
})

test('Of one account, work that has begun continues before new work begins', () => {
  const queue = new FairQueue<string>(1)
  queue.push(['a'], 'new')
  queue.push(['a'], 'begun', true)
  expect([queue.take(), queue.take()]).toEqual(['begun', 'new'])
})

test('If no debt is allowed, an entry of a group with a debt is not taken', () => {
  const queue = new FairQueue<string>(1)
  queue.push(['slow'], 's')
  queue.take()
  queue.charge(2.5)
  queue.push(['slow'], 's')
  queue.push(['quick'], 'q')
  expect([queue.take(true), queue.take(true)]).toEqual(['q', undefined])
  expect(queue.size).toBe(1)
  expect(queue.take()).toBe('s')
})

test('Every entry is taken once, and those of one group in order, whatever is taken and charged meanwhile', () => {
  const events = array(constantFrom('a', 'b', 'c', 'take', 'charge', 'owe nothing'), { maxLength: 200 })
  assert(
    property(events, (names) => {
      const queue = new FairQueue<string>(1)
      const taken: (string | undefined)[] = []
      names.forEach((name, index) => {
        if (name === 'take') taken.push(queue.take())
        else if (name === 'owe nothing') taken.push(queue.take(true))
        else if (name === 'charge') queue.charge(3)
        else queue.push(['clients', name], `${name}${index}`)
      })
      while (queue.size > 0) taken.push(queue.take())
      const entries = names.map((name, index) => `${name}${index}`).filter((entry) => /^[abc]\d/.test(entry))
      for (const name of 'abc') {
        const of = (all: (string | undefined)[]) => all.filter((entry) => entry?.startsWith(name))
        expect(of(taken)).toEqual(of(entries))
      }
    }),
    { numRuns: 300 },
  )
})
