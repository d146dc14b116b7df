import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerReminder, sendPresses } from './reminders.ts'

const fetched = vi.fn<typeof fetch>()
const close = vi.fn()

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
  vi.stubGlobal('self', { registration: {} })
  vi.stubGlobal('fetch', fetched)
  vi.spyOn(console, 'warn').mockReturnValue()
  fetched.mockRejectedValue(new TypeError('Failed to fetch'))
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  for (const mock of [fetched, close]) mock.mockReset()
})

const press = (action: string) =>
  answerReminder({ action, notification: { data: { key: 'key', items: ['a'] }, close } } as never)

/** The actions that were sent since. */
const sent = () => fetched.mock.calls.map(([, options]) => JSON.parse(String(options?.body)).action)

const answers: [what: string, answer: () => Response, isKept: boolean][] = [
  ['its result', () => Response.json({ applied: false }), false],
  ['a problem of the server', () => Response.json({ code: 'reminder-over' }, { status: 410 }), false],
  ['too many requests', () => Response.json({ code: 'too-many-requests' }, { status: 429 }), true],
  ['a failure of the server', () => Response.json({ code: 'internal' }, { status: 500 }), true],
  ...[200, 403, 404].map((status): [string, () => Response, boolean] => [
    `a page of a proxy with status ${status}`,
    () => new Response('<!doctype html>', { status }),
    true,
  ]),
]

test.each(answers)(
  'A press that gets %s is kept only if the server may still take it',
  async (_, answer, isKept) => {
    await press('done')
    expect(close).toHaveBeenCalledOnce()
    fetched.mockImplementation(async () => answer())
    await sendPresses().catch(() => {})
    fetched.mockClear()
    await sendPresses().catch(() => {})
    expect(sent()).toEqual(isKept ? ['done'] : [])
  },
)

test('A press that fails does not keep the next one from being sent, and is sent again', async () => {
  await press('done')
  await press('tomorrow')
  fetched.mockReset()
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  fetched.mockImplementation(async () => Response.json({ applied: true }))
  await expect(sendPresses()).rejects.toThrow('Failed to fetch')
  expect(sent().sort()).toEqual(['done', 'tomorrow'])
  const [first] = sent()
  fetched.mockClear()
  await sendPresses()
  expect(sent()).toEqual([first])
})

test('A notification whose press cannot be kept stays', async () => {
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  await expect(press('done')).rejects.toThrow('full')
  expect(close).not.toHaveBeenCalled()
})
