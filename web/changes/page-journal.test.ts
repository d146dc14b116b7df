import { expect, onTestFinished, test, vi } from 'vitest'
import { createDashboard } from '../state/dashboard.tsx'
import { unsentKey } from '../unsent/kept/unsent-storage.ts'

const [own, other] = ['a'.repeat(64), 'b'.repeat(64)]
const accountOf = (token: string) => unsentKey('outbox', token.slice(0, 21))
const [mutation, item] = ['01a1fbec-e0c4-7d05-9f1e-3a7c52d8b640', '01a1fbec-df28-741d-85d9-08c2d1fcac18']
const set = { title: 'Ferry', dueDate: '2026-11-21', priority: 'low' }

/** A browser that keeps this entry for the account of a token. Returns the page of the own account and the changes that it sends. */
function openWith(token: string, entry: object, { isShown = true, hasLocks = true } = {}) {
  const kept: Record<string, string> = {
    token: own,
    [`${accountOf(token)}${mutation}`]: JSON.stringify(entry),
  }
  const methods = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => void Object.assign(kept, { [key]: value }),
    removeItem: (key: string) => delete kept[key],
  }
  const hidden = Object.entries(methods).map(([name, value]) => [name, { value }])
  vi.stubGlobal('localStorage', Object.defineProperties(kept, Object.fromEntries(hidden)))
  const document = Object.assign(new EventTarget(), { visibilityState: isShown ? 'visible' : 'hidden' })
  vi.stubGlobal('document', document)
  vi.stubGlobal('window', new EventTarget())
  const locks = { request: (_: string, __: object, work: () => Promise<void>) => work() }
  vi.stubGlobal('navigator', { onLine: true, ...(hasLocks && { locks }) })
  const sent: { mutation: string; item: string }[] = []
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    sent.push(...JSON.parse(body).changes)
    return Response.json({ items: [{ kind: 'task', outcome: 'applied', seq: 1, item: null }], cursor: '1.x' })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const { store, journal } = createDashboard()
  onTestFinished(journal.start())
  function show() {
    document.visibilityState = 'visible'
    document.dispatchEvent(new Event('visibilitychange'))
  }
  return { store, journal, sent, kept, show }
}

const entry = { mutation, item, order: 1, at: Date.now(), set }

test('An entry of the previous build, which has neither a verb nor a title, is shown and sent', async () => {
  const { store, sent } = openWith(own, entry)
  expect(store.task(item)?.title).toBe('Ferry')
  await vi.waitFor(() => expect(sent).toMatchObject([{ mutation, item, set }]))
})

test('An entry of another account in the same browser is neither shown nor sent, and stays', async () => {
  const { store, journal, sent, kept } = openWith(other, entry)
  await new Promise(setImmediate)
  expect([journal.entries(), store.task(item), sent]).toEqual([[], undefined, []])
  expect(Object.keys(kept)).toContain(`${accountOf(other)}${mutation}`)
})

test('In a browser without locks, a page in the background sends nothing until it is shown', async () => {
  const { journal, sent, show } = openWith(own, entry, { isShown: false, hasLocks: false })
  await new Promise(setImmediate)
  expect(sent).toEqual([])
  expect(journal.entries()).toHaveLength(1)
  show()
  await vi.waitFor(() => expect(sent).toMatchObject([{ mutation }]))
})
