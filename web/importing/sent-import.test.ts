import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ImportEntry, Progress } from '../engine/imported.ts'
import { testNeeds } from '../engine/testing/test-needs.ts'
import { nextEntries, sendImport } from './sent-import.ts'

const fetched = vi.fn<typeof fetch>()
type Body = { import: string; tasks: { title: string; body: string }[]; notes: object[]; versions: object[] }

/** The bodies of all calls. */
const bodies = () => fetched.mock.calls.map(([, init]) => JSON.parse(String(init?.body)) as Body)

const problem = (status: number, more: object) => Response.json({ status, ...more }, { status })

/** A server that has some titles already and refuses some. */
function answer({ tasks, notes, versions }: Body): Response {
  const refused = tasks.findIndex(({ title }) => title === 'refused')
  const errors = [{ field: `tasks/${refused}/title`, code: 'too-long', message: 'must be shorter' }]
  if (refused >= 0) return problem(400, { code: 'invalid-fields', detail: 'Not valid.', errors })
  return Response.json({
    tasks: tasks.map(({ title }) => (title === 'there' ? 'existing' : 'added')),
    notes: notes.map(() => 'restored'),
    versions: versions.map(() => 'added'),
  })
}

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('localStorage', { getItem: () => null })
  fetched.mockImplementation(async (_, init) => answer(JSON.parse(String(init?.body))))
})

afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockReset()
})

const task = (title: string, body = ''): ImportEntry => ({ list: 'tasks', value: { title, body } })
const nothing: Progress = { done: 0, counts: { added: 0, existing: 0, restored: 0 }, refused: [] }

/** Sends entries. Returns how far it came last, and why it stopped. */
async function send(entries: ImportEntry[], from = nothing, onProgress = (_: Progress) => {}) {
  const sending = new AbortController()
  let last = from
  const failure = await sendImport({
    ...{ needs: testNeeds({ fetch: fetched }), id: 'the import', entries, from },
    ...{ signal: sending.signal, onWait: () => {} },
    onProgress(progress) {
      last = progress
      onProgress(progress)
    },
  }).catch((error: Error) => error)
  return { last, failure, sending }
}

test('entries are sent in their order, 200 in a call and less than a mebibyte, and are counted', async () => {
  const long = 'ü'.repeat(200_000)
  const entries = [
    ...Array.from({ length: 399 }, (_, index) => task(index === 0 ? 'there' : `task ${index}`)),
    ...[1, 2, 3, 4].map((index) => task(`long ${index}`, long)),
    { list: 'notes', value: { text: '' } } as const,
    { list: 'versions', value: { note: '' } } as const,
  ]
  const { last, failure } = await send(entries)
  expect(failure).toBeUndefined()
  const sizes = bodies().map(({ tasks, notes, versions }) =>
    [tasks, notes, versions].map(({ length }) => length),
  )
  expect(sizes.join(' ')).toBe('200,0,0 200,0,0 2,0,0 1,1,1')
  for (const [, init] of fetched.mock.calls)
    expect(Buffer.byteLength(String(init?.body))).toBeLessThan(1_048_576)
  expect(last).toEqual({ done: 405, counts: { added: 402, existing: 1, restored: 1 }, refused: [] })
  expect(nextEntries([task('longest', 'x'.repeat(2_000_000))], 0)).toHaveLength(1)
})

test('an import goes on where it stopped', async () => {
  const entries = Array.from({ length: 500 }, (_, index) => task(`task ${index}`))
  fetched.mockImplementationOnce(async (_, init) => answer(JSON.parse(String(init?.body))))
  fetched.mockImplementationOnce(async () =>
    problem(409, { code: 'too-many-items', detail: 'You have 100,000 tasks.' }),
  )
  const { last, failure } = await send(entries)
  expect([last.done, failure?.message]).toEqual([200, 'You have 100,000 tasks.'])
  fetched.mockClear()
  const rest = await send(entries, last)
  expect(bodies()[0]?.tasks[0]?.title).toBe('task 200')
  expect(rest.last).toMatchObject({ done: 500, counts: { added: 500 } })
})

test('what the server refuses is named, and everything beside it is sent', async () => {
  const entries = Array.from({ length: 100 }, (_, index) => task(index === 37 ? 'refused' : `task ${index}`))
  const { last, failure } = await send(entries)
  expect(failure).toBeUndefined()
  expect(last).toEqual({
    done: 100,
    counts: { added: 99, existing: 0, restored: 0 },
    refused: [{ title: 'refused', reason: 'title must be shorter' }],
  })
})
