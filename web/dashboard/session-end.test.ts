import { globSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tokenKey } from '#contract/limits.ts'
import { memoryStorage } from '../engine/testing/test-needs.ts'

const [ann, ben] = ['ann', 'ben'].map((name) => name.padEnd(30, '-')) as [string, string]
/** The part of the token that names the account. */
const own = ann.slice(0, 21)
const words = 'private words'

const load = vi.fn<(path: string) => void>()
const deleteDatabase = vi.fn<(name: string) => void>()
const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', memoryStorage())
  vi.stubGlobal('sessionStorage', memoryStorage())
  vi.stubGlobal('location', { pathname: '/dashboard', search: '', replace: load })
  vi.stubGlobal('window', new EventTarget())
  const root = { dataset: {} }
  const visible = { readyState: 'complete', visibilityState: 'visible' }
  const page = { ...visible, documentElement: root, querySelectorAll: () => [] }
  vi.stubGlobal('document', Object.assign(new EventTarget(), page))
  // Without locks: those of a document that has gone are free, but these documents share a process.
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('indexedDB', { deleteDatabase })
  vi.stubGlobal('fetch', fetched)
  fetched.mockImplementation(async () => new Response(null, { status: 503 }))
})

afterEach(() => {
  // Another document: nothing in memory is left of the one before it, in the next test and in the next file.
  vi.resetModules()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  for (const mock of [load, deleteDatabase, fetched]) mock.mockReset()
})

/** The page of a dashboard that the first account has opened. */
async function openDashboard() {
  const session = await import('../api/session.ts')
  session.storeToken(ann, 'ann@example.org')
  session.beginDashboard()
  return session
}

type Session = Awaited<ReturnType<typeof openDashboard>>

/** How the session ends, while this page notices nothing: its tab may be frozen. */
const endings: Record<string, (session: Session) => void> = {
  'a logout here': ({ endSession }) => endSession(),
  'a logout in another tab': () => localStorage.clear(),
  'the end of the session by the server': ({ removeToken }) => removeToken(),
  'a logout and another login in another tab'() {
    localStorage.clear()
    localStorage.setItem(tokenKey, ben)
  },
  'another login in another tab, after the server has ended the session'({ removeToken }) {
    removeToken()
    localStorage.setItem(tokenKey, ben)
    localStorage.setItem('person', `${ben.slice(0, 21)} ben@example.org`)
  },
}

async function createEngine() {
  const { createEngine } = await import('../engine/engine.ts')
  const { pageNeeds } = await import('../state/page-needs.ts')
  return createEngine(pageNeeds())
}

/** What writes to the storage of the browser. Each is loaded after the end, as chunks are. */
const writers: Record<string, () => Promise<unknown>> = {
  async 'the text of a note'() {
    const { documentsOf } = await import('../engine/notes/note-documents.ts')
    const document = documentsOf(await createEngine()).create('note')
    document.edit(words)
    document.keepDraft()
  },
  async 'a form'() {
    const { formDrafts } = await createEngine()
    const key = formDrafts.newKey('add')
    if (key !== undefined) formDrafts.keep(key, { values: { title: words }, at: 0 })
  },
  async 'the quick line'() {
    ;(await createEngine()).quickLines.getState().share(words)
  },
  async 'a change'() {
    ;(await createEngine()).journal.make([{ item: 'task', kind: 'task', set: { title: words } }])
  },
  async 'a setting'() {
    const { changeSettings } = await import('../settings/settings-store.ts')
    changeSettings({ theme: 'dark' })
  },
  async 'the history of Undo'() {
    const { keepUndoHistory } = await import('../engine/undo-history.ts')
    const { history, needs } = await createEngine()
    keepUndoHistory(history, needs)
    history.getState().add({ name: '1', verb: 'edit', title: words, seq: 1 })
  },
  async 'a look at reminders'() {
    const { createLooks } = await import('../reminders/due-reminders.ts')
    await createLooks(own, 0).look(() => [{ item: words, at: 1 }], Date.now())
  },
  async 'an import'() {
    const { keepLastImport } = await import('../importing/running-import.ts')
    keepLastImport((await createEngine()).needs, { id: words, at: Date.now(), added: 1, changed: 1 } as never)
  },
  async 'a shared text'() {
    const { launch } = await import('./launch.ts')
    const parts = { engine: await createEngine(), navigate: vi.fn(), open: vi.fn(), writeNote: vi.fn() }
    launch(`?shared-text=${words}%0A`.padEnd(3000, '.'), parts)
  },
  async 'a note whose field is not shown yet'() {
    const { rememberNoteIntent } = await import('../api/note-intent.ts')
    const { keepTyped, takeTyped } = await import('../ui/held-keys.ts')
    keepTyped(words)
    rememberNoteIntent(takeTyped())
  },
}

test('Whatever of the page keeps something in the browser has asked whether its session is over', () => {
  const files = globSync('web/**/*.{ts,tsx}').filter((file) => !/\.test\.|\/testing\//.test(file))
  const writing = files.filter((file) => /localStorage\.setItem/.test(readFileSync(file, 'utf8')))
  expect(writing).toEqual(['web/api/session.ts'])
})

for (const [ending, end] of Object.entries(endings)) {
  test(`After ${ending}, a page that stays open sends nothing and writes nothing for another account`, async () => {
    end(await openDashboard())
    const before = { ...localStorage }
    for (const write of Object.values(writers)) await write()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(fetched).not.toHaveBeenCalled()

    const written = [localStorage, sessionStorage].flatMap((storage) =>
      Object.entries({ ...storage }).filter(([key, text]) => before[key] !== text),
    )
    for (const [key, text] of written) expect(key + text).toContain(own)
    expect(JSON.stringify(written)).not.toContain(ben.slice(0, 21))
    if (ending.includes('logout')) expect({ ...localStorage }).toEqual(before)
  })

  test.each([200, 401, 403, 429, 503, undefined])(
    `After ${ending}, answers with status %s to calls before it change nothing`,
    async (status) => {
      const session = await openDashboard()
      const late = Promise.withResolvers<void>()
      fetched.mockImplementation(async () => {
        await late.promise
        if (status === undefined) throw new TypeError('Failed to fetch')
        return Response.json({ items: [], settings: {} }, { status, headers: { 'changes-cursor': 'later' } })
      })
      const { call, onCursor } = (await import('../api/page-client.ts')).pageClient
      const { documentsOf } = await import('../engine/notes/note-documents.ts')
      const { syncSettings } = await import('../settings/settings-store.ts')
      const note = documentsOf(await createEngine()).create('note')
      note.edit(words)
      note.save()
      const journal = (await createEngine()).journal
      journal.start()
      journal.make([{ item: 'task', kind: 'task', set: { title: words } }])
      syncSettings()
      const [answered, listener] = [vi.fn(), vi.fn()]
      call('GET /user/validate').then(answered, answered)
      onCursor(listener)
      await vi.advanceTimersByTimeAsync(1000)
      expect(fetched).toHaveBeenCalledTimes(4)

      end(session)
      deleteDatabase.mockReset()
      const before = { ...localStorage }
      late.resolve()
      await vi.advanceTimersByTimeAsync(600_000)
      expect({ ...localStorage }).toEqual(before)
      expect(fetched).toHaveBeenCalledTimes(4)
      for (const mock of [deleteDatabase, answered, listener]) expect(mock).not.toHaveBeenCalled()
    },
  )
}

test('A draft that a tab stores at the moment of a logout in another tab is removed when it follows', async () => {
  const session = await openDashboard()
  const { formDrafts } = await createEngine()
  const key = formDrafts.newKey('add') as string
  formDrafts.keep(key, { values: { title: words }, at: 0 })
  const draft = localStorage.getItem(key) as string
  localStorage.clear()
  localStorage.setItem(key, draft)
  session.leaveSession()
  expect({ ...localStorage }).toEqual({})
  expect(load).toHaveBeenLastCalledWith('/')
})

test('After a refused validation, the login stays in the same document, and the next dashboard is loaded anew', async () => {
  const { beginDashboard, removeToken, storeToken } = await openDashboard()
  const { call } = await import('../api/page-client.ts')
  removeToken()
  call('GET /changes')
  fetched.mockResolvedValueOnce(Response.json({ token: ben }))
  const { data } = await call('POST /user/login', { body: { email: 'ben@example.org', password: 'secret' } })
  expect(load).not.toHaveBeenCalled()
  expect(fetched).toHaveBeenCalledOnce()

  storeToken(data.token as string, 'ben@example.org')
  call('GET /changes')
  expect(load).not.toHaveBeenCalled()
  expect(beginDashboard()).toBe(false)
  expect(load).toHaveBeenLastCalledWith('/dashboard')
})

test('Logging out in a tab that missed another login leads to the dashboard of the other account, and removes nothing of it', async () => {
  await openDashboard()
  localStorage.setItem(tokenKey, ben)
  localStorage.setItem(`draft ${ben.slice(0, 21)} add 1`, words)
  const before = { ...localStorage }
  const { logOut } = await import('../api/held-session.ts')
  deleteDatabase.mockReset()
  logOut()
  expect({ ...localStorage }).toEqual(before)
  expect(fetched).not.toHaveBeenCalled()
  expect(deleteDatabase).not.toHaveBeenCalled()
  expect(load).toHaveBeenLastCalledWith('/dashboard')
})

/** A browser that shows a notification and is subscribed, although this was stopped. `unsubscribe` may never end. */
function subscribedBrowser(unsubscribe: () => Promise<unknown>) {
  const done: string[] = []
  const notification = { close: () => done.push('close') }
  const getSubscription = async () => ({
    unsubscribe() {
      done.push('unsubscribe')
      return unsubscribe()
    },
  })
  const registration = { getNotifications: async () => [notification], pushManager: { getSubscription } }
  vi.stubGlobal('navigator', { onLine: false, serviceWorker: { getRegistration: async () => registration } })
  return done
}

test('A logout ends the reminders of this browser before another document is loaded, and waits at most two seconds for it', async () => {
  await openDashboard()
  const { logOut } = await import('../api/held-session.ts')
  deleteDatabase.mockReset()
  const unsubscribed = Promise.withResolvers<void>()
  const done = subscribedBrowser(() => unsubscribed.promise)
  logOut()
  expect(deleteDatabase).toHaveBeenCalledWith('daymark-presses')
  await vi.advanceTimersByTimeAsync(1999)
  expect(done).toEqual(['close', 'unsubscribe'])
  expect(load).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(load).toHaveBeenLastCalledWith('/')
})

test('The login of another account ends what a logout without a network has left', async () => {
  const session = await openDashboard()
  session.endSession()
  const done = subscribedBrowser(async () => true)
  session.storeToken(ben, 'ben@example.org')
  await vi.advanceTimersByTimeAsync(0)
  expect(done).toEqual(['close', 'unsubscribe', 'close'])
  localStorage.setItem(session.remindedKey, ben.slice(0, 21))
  done.length = 0
  session.storeToken(ben, 'ben@example.org')
  await vi.advanceTimersByTimeAsync(0)
  expect(done).toEqual([])
})

test('A dashboard without a session keeps nothing in the browser', async () => {
  const { beginDashboard } = await import('../api/session.ts')
  beginDashboard()
  for (const write of Object.values(writers)) await write()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(Object.keys(localStorage)).toEqual([])
})

/** What the browser stores of the first account while its dashboard is open, and of another one that waits for its next login. */
function storeOfAnn() {
  const kept = { [`draft ${own} add 1`]: words, [`outbox ${own} 1`]: words, [`places ${own}`]: words }
  const other = { [`draft ${ben.slice(0, 21)} add 1`]: 'of ben' }
  for (const [key, text] of Object.entries({ ...kept, ...other })) localStorage.setItem(key, text)
  localStorage.setItem('settings', JSON.stringify({ account: own, settings: {} }))
  sessionStorage.setItem(`undo ${own}`, words)
  sessionStorage.setItem('writesNote', JSON.stringify({ text: words, account: own }))
}

/** The keys that name the first account or have its words. */
const namesAnn = () =>
  [localStorage, sessionStorage].flatMap((storage) =>
    Object.entries({ ...storage })
      .filter(([key, text]) => [own, words, 'ann@'].some((part) => (key + text).includes(part)))
      .map(([key]) => key),
  )

/** The stream is asked for with the token of the first account, and answers with this code. */
async function refuseStream(code: string) {
  fetched.mockResolvedValueOnce(Response.json({ code }, { status: 401 }))
  const { openStream } = (await import('../api/page-client.ts')).pageClient
  openStream('GET /changes/stream', new AbortController().signal).catch(() => {})
  await vi.advanceTimersByTimeAsync(0)
}

const unsentOfAnn = [`draft ${own} add 1`, `outbox ${own} 1`, `places ${own}`, 'settings']
const ofTab = [`undo ${own}`, 'writesNote']

test.each<[string, string[], (session: Session) => unknown]>([
  ['a logout', [], ({ endSession }) => endSession()],
  [
    'a session that was ended elsewhere',
    ['person', ...unsentOfAnn, ...ofTab],
    () => refuseStream('token-invalid'),
  ],
  ['an account that was deleted elsewhere', [], () => refuseStream('account-gone')],
  [
    'another login in another tab',
    unsentOfAnn,
    ({ leaveSession }) => {
      localStorage.setItem(tokenKey, ben)
      localStorage.setItem('person', `${ben.slice(0, 21)} ben@example.org`)
      leaveSession()
    },
  ],
  [
    'a session that was ended elsewhere and the login of another person',
    unsentOfAnn,
    async ({ storeToken }) => {
      await refuseStream('token-invalid')
      storeToken(ben, 'ben@example.org')
    },
  ],
])('After %s, the browser keeps of the first account: %j', async (_, kept, end) => {
  const session = await openDashboard()
  storeOfAnn()
  await end(session)
  expect(namesAnn().sort()).toEqual([...kept].sort())
  expect(localStorage.getItem(tokenKey)).not.toBe(ann)
})

test('A stream that is refused by the server ends the session at once: the items are removed, and the login is shown', async () => {
  const session = await openDashboard()
  const ended = vi.fn()
  window.addEventListener(session.sessionEnded, ended)
  deleteDatabase.mockReset()
  await refuseStream('token-invalid')
  expect(ended).toHaveBeenCalledOnce()
  expect(deleteDatabase).toHaveBeenCalledWith(session.deviceDatabase)
  expect(session.endedEmail()).toBe('ann@example.org')
})

test('Only what is kept for other accounts stays after an account was deleted elsewhere, and the login is loaded anew', async () => {
  const session = await openDashboard()
  storeOfAnn()
  await refuseStream('account-gone')
  expect(Object.keys(localStorage)).toEqual([`draft ${ben.slice(0, 21)} add 1`])
  expect(session.endedEmail()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(0)
  expect(load).toHaveBeenLastCalledWith('/login')
})

test('Back to an address of another account loads the dashboard without its words', async () => {
  const replaceState = vi.fn()
  vi.stubGlobal('location', { pathname: '/dashboard', search: '?search=secret', replace: load })
  vi.stubGlobal('history', { state: { account: own }, replaceState })
  replaceState.mockImplementation(() => Object.assign(location, { search: '' }))
  const { beginDashboard, storeToken } = await import('../api/session.ts')
  storeToken(ben, 'ben@example.org')
  expect(beginDashboard()).toBe(false)
  expect(replaceState).toHaveBeenCalledWith(null, '', '/dashboard')
  expect(load).toHaveBeenLastCalledWith('/dashboard')
})

test('A note that a visitor wanted to write is offered after the login, and one of another account is not', async () => {
  const { storeToken } = await import('../api/session.ts')
  const { noteIntent, rememberNoteIntent } = await import('../api/note-intent.ts')
  const shared = 'A shared ,"account": text'
  rememberNoteIntent(shared)
  storeToken(ann, 'ann@example.org')
  expect(noteIntent()).toBe(shared)
  storeToken(ben, 'ben@example.org')
  expect({ ...sessionStorage }).toEqual({})
})
