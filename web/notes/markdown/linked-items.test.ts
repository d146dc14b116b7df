import { expect, onTestFinished, test, vi } from 'vitest'
import { createStore } from '../../engine/store/store.ts'
import { summaryWith } from '../../engine/store/testing/note-with.ts'
import { taskWith } from '../../engine/store/testing/task-with.ts'
import { createLinkedItems } from './linked-items.ts'

/** The fetches of tasks that wait for an answer, in order. */
function holdFetches() {
  const held: { path: string; answer: (response: Response) => void }[] = []
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', (path: string) => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    held.push({ path, answer: resolve })
    return promise
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return held
}

const address = (id: string) => ({ kind: 'task', id }) as const
const task = (_id: string, title: string, version = 1) => taskWith({ _id, title, version })

test('Items that are held are not fetched, others once, and listeners are called on a change', async () => {
  const held = holdFetches()
  const store = createStore()
  const items = createLinkedItems(store)
  const told = vi.fn()
  onTestFinished(items.subscribe(told))
  store.put({ tasks: [task('1', 'held')] })
  expect(items.get(address('1'))).toEqual({ title: 'held', isDone: false })
  expect([items.get(address('2')), items.get(address('2'))]).toEqual([undefined, undefined])
  expect(held.map(({ path }) => path.at(-1))).toEqual(['2'])
  held[0]?.answer(Response.json({ task: task('2', 'fetched') }))
  await vi.waitFor(() => expect(items.get(address('2'))).toEqual({ title: 'fetched', isDone: false }), {
    timeout: 60_000,
  })
  expect(told).toHaveBeenCalledTimes(1)
  store.put({ tasks: [task('1', 'changed', 2), task('3', 'another')] })
  expect(told).toHaveBeenCalledTimes(2)
  store.remove(['1'])
  expect(items.get(address('1'))).toEqual({ gone: 'not found' })
})

test('Up to four items are fetched at once', async () => {
  const held = holdFetches()
  const items = createLinkedItems(createStore())
  for (const id of ['1', '2', '3', '4', '5']) items.get(address(id))
  expect(held.map(({ path }) => path.at(-1))).toEqual(['1', '2', '3', '4'])
  held[2]?.answer(new Response('', { status: 404 }))
  await vi.waitFor(() => expect(held.at(-1)?.path).toMatch(/5$/), { timeout: 60_000 })
  expect(items.get(address('3'))).toEqual({ gone: 'not found' })
})

test('A title in brackets is of the note that has it, not of one whose title is a link to that note', () => {
  const store = createStore()
  const items = createLinkedItems(store)
  const titled = (_id: string, title: string) => summaryWith({ _id, title })
  store.put({ notes: [titled('1', '[[Harbour]]'), titled('2', '# [Harbour](note:3)')] })
  expect(items.idOfTitle('Harbour')).toBeUndefined()
  store.put({ notes: [titled('3', '**harbour**'), titled('4', 'Pier [[Harbour]]')] })
  expect(items.idOfTitle('Harbour')).toBe('3')
  expect(items.idOfTitle('pier harbour')).toBe('4')
})
