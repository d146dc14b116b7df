import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memoryStorage } from '../engine/testing/test-needs.ts'

const call = vi.hoisted(() => vi.fn())
vi.mock('../api/page-client.ts', async (original) => ({ ...(await original<object>()), call }))

/** The endpoint of the subscription of this browser, and those of the server with whether they are of this session. */
let here: string | undefined
let listed: { endpoint: string; current: boolean }[]
let isOn: boolean
let hasEnded: boolean
/** The endpoint of the next subscription. */
let next: string

beforeEach(() => {
  vi.resetModules()
  ;[here, listed, isOn, hasEnded, next] = [undefined, [], true, false, 'new']
  vi.stubGlobal('localStorage', memoryStorage())
  localStorage.setItem('token', 'ann'.padEnd(30, '-'))
  vi.stubGlobal('window', { isSecureContext: true, PushManager: {}, Notification: {} })
  vi.stubGlobal('Notification', { permission: 'granted', requestPermission: async () => 'granted' })
  const unsubscribe = async () => {
    here = undefined
  }
  const subscription = () => (here === undefined ? null : { endpoint: here, toJSON, unsubscribe })
  const toJSON = () => ({ endpoint: here, keys: {} })
  const pushManager = {
    getSubscription: async () => subscription(),
    async subscribe() {
      here ??= next
      return subscription()
    },
  }
  let isHeld = false
  const locks = {
    async request(_name: string, _options: object, run: (lock: object | null) => Promise<void>) {
      if (isHeld) return await run(null)
      isHeld = true
      await run({}).finally(() => {
        isHeld = false
      })
    },
  }
  vi.stubGlobal('navigator', { locks, serviceWorker: { getRegistration: async () => ({ pushManager }) } })
  call.mockImplementation(async (name: string, input?: { body: { endpoint: string } }) => {
    if (name === 'PUT /reminders/subscription')
      [listed, hasEnded] = [[{ endpoint: input?.body.endpoint ?? '', current: true }], false]
    return { data: { reminders: { key: 'key', isOn, hasEnded, subscriptions: [...listed], missed: [] } } }
  })
})

afterEach(() => {
  vi.resetModules()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  call.mockReset()
})

const open = () => import('./push.ts')
const registrations = () => call.mock.calls.filter(([name]) => name === 'PUT /reminders/subscription').length

test('A browser that another device has stopped does not register again, and its open page reminds', async () => {
  const { remindHere, readReminders, isRemindedHere } = await open()
  await remindHere('key')
  await readReminders()
  expect(await isRemindedHere()).toBe(true)
  listed = []
  await readReminders()
  expect([registrations(), here, await isRemindedHere()]).toEqual([1, undefined, false])
  await readReminders()
  expect([registrations(), here]).toEqual([1, undefined])
})

test('A subscription that its push service has ended is replaced at the next start, though the browser keeps it', async () => {
  const { remindHere, readReminders, isRemindedHere } = await open()
  await remindHere('key')
  ;[listed, hasEnded, next] = [[], true, 'newer']
  // Two tabs start at once.
  await Promise.all([readReminders(), readReminders()])
  expect([registrations(), here, listed]).toEqual([2, 'newer', [{ endpoint: 'newer', current: true }]])
  expect(await isRemindedHere()).toBe(true)
})

test('A browser registers again in a new session, and when it has another endpoint or has lost its own', async () => {
  const { remindHere, readReminders } = await open()
  const { storeToken } = await import('../api/session.ts')
  await remindHere('key')
  storeToken(`${'ann'.padEnd(29, '-')}!`, 'ann@example.org')
  listed = []
  await readReminders()
  expect([registrations(), here]).toEqual([2, 'new'])
  here = 'other'
  await readReminders()
  expect(listed).toEqual([{ endpoint: 'other', current: true }])
  here = undefined
  await readReminders()
  expect(listed).toEqual([{ endpoint: 'new', current: true }])
})

test('The page reminds itself if the server is not turned on, and an answer from before a press ends nothing', async () => {
  const { remindHere, readReminders, isRemindedHere } = await open()
  isOn = false
  const reading = readReminders()
  await remindHere('key')
  await reading
  expect([here, await isRemindedHere()]).toEqual(['new', false])
  isOn = true
  await readReminders()
  expect(await isRemindedHere()).toBe(true)
})

test('A page without a worker, as with OFFLINE=off, is not asked for its permission', async () => {
  const { ability } = await open()
  expect(await ability()).toBe('able')
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => undefined } })
  expect(await ability()).toBe('uninstalled')
})

test('A zone is that of the device by whatever name', async () => {
  const { isZoneHere, zoneHere } = await import('./settings-store.ts')
  vi.stubEnv('TZ', 'Asia/Kolkata')
  const found = ['Asia/Calcutta', 'Asia/Kolkata', zoneHere(), 'Europe/Berlin', 'Nowhere'].map(isZoneHere)
  expect(found).toEqual([true, true, true, false, false])
})
