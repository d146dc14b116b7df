import assert from 'node:assert/strict'
import type { Call } from '#contract/api.ts'
import { apiBase } from '#contract/limits.ts'
import type { Server } from '../server.ts'
import type { Firefox } from './firefox.ts'
import { type FirefoxPush, pushEnvironment } from './firefox-push.ts'
import { stepsOn, user } from './steps.ts'
import type { Tab } from './tab.ts'

type Reminders = Call<'GET /reminders'>['response']['reminders']

/** The tasks of this test are due so many minutes from now, and remind an hour before as soon as this is chosen. */
const ahead = 30

type Options = {
  firefox: Firefox
  push: FirefoxPush
  server: Server
  /** Whether the server is killed too, and the push service ends the subscription. */
  isLong: boolean
  /** Gets the server that runs after the first one was killed. */
  restarted: (server: Server) => void
}

/** The reminders of a person who has signed up, in a Firefox that gets them from a push service. */
export async function playPush(page: Tab, { firefox, push, server, isLong, restarted }: Options) {
  const step = stepsOn(page)
  const { run, eventually } = page
  let token: string | undefined

  // biome-ignore lint/suspicious/noExplicitAny: the answers of several calls
  async function call(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(`${server.address}${apiBase}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: body ? JSON.stringify(body) : null,
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`)
    return await response.json()
  }
  token = (await call('POST', '/user/login', user)).token
  const set = (settings: object) => call('PATCH', '/settings', { settings })
  const endpoints = async () =>
    ((await call('GET', '/reminders')).reminders as Reminders).subscriptions.map(({ endpoint }) => endpoint)
  const stored = async (id: string) => (await call('GET', `/tasks/${id}`)).task

  /** Adds a task that reminds at once. Returns its id. */
  async function addDue(title: string): Promise<string> {
    await set({ defaultReminder: '0m' })
    const [dueDate, dueTime] = new Date(Date.now() + ahead * 60_000).toISOString().slice(0, 16).split('T')
    const { task } = await call('POST', '/list/addTask', { title, priority: 'low', dueDate, dueTime })
    await set({ defaultReminder: '60m' })
    return task._id
  }
  /** What Firefox shows. */
  const shown = () =>
    run(async () =>
      (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title }) => title),
    )
  const seeShown = (...titles: string[]) =>
    eventually(`notifications ${titles}`, async () => String(await shown()) === String(titles))
  /** Presses a button of the newest notification, as the system does. */
  const press = (action: string) => firefox.runInBrowser(String(pressLast), [action])

  await step('A press on Remind me on this device subscribes the browser', async () => {
    await firefox.runInBrowser(String(takeNotifications), [])
    // WebDriver BiDi has switched it off.
    await firefox.runInBrowser(`() => Services.prefs.setBoolPref('dom.push.connection.enabled', true)`, [])
    await push.greeted
    await page.go('/dashboard')
    await run(() => navigator.serviceWorker.ready.then(() => true))
    await page.click('button', 'Account')
    await page.click('button', 'Remind me on this device')
    await page.see('[aria-label="Devices that remind"] span', 'This browser')
    assert.equal((await endpoints()).length, 1)
    await set({ zone: 'UTC', zonePinned: true, reminderTitles: true })
  })
  await step('A due reminder arrives encrypted, and the worker shows it', async () => {
    const id = await addDue('Call the dentist')
    await seeShown('Call the dentist')
    assert.deepEqual(push.codes, [100])
    assert.ok(!push.received[0]?.body.includes('dentist'))
    await press('done')
    await eventually('the task is done', async () => (await stored(id)).doneAt !== null)
    await seeShown()
  })
  if (!isLong) return

  await step('A press while the server is off is kept, and sent once it is back', async () => {
    const id = await addDue('Water the plants')
    await seeShown('Water the plants')
    const { restart } = await server.crash()
    await press('tomorrow')
    await eventually('the press is kept', async () => String(await run(keptPresses)) === 'tomorrow')
    await seeShown()
    restarted(await restart(pushEnvironment))
    await page.go('/dashboard')
    await eventually('the press is sent', async () => String(await run(keptPresses)) === '')
    assert.ok((await stored(id)).dueDate > new Date().toISOString().slice(0, 10))
    // Those of a server that is off.
    await page.takeFaults()
  })
  await step('A subscription that its push service has ended is replaced at the next start', async () => {
    const [endpoint = ''] = await endpoints()
    push.end(endpoint)
    await addDue('Feed the cat')
    await eventually('the subscription is removed', async () => (await endpoints()).length === 0)
    await page.go('/dashboard')
    await eventually('another one is made', async () => (await endpoints()).length === 1)
    assert.notEqual((await endpoints())[0], endpoint)
    await addDue('Call Ann')
    await seeShown('Call Ann')
  })
}

/** Runs in the page. Returns the actions of the presses that wait in this browser. */
async function keptPresses(): Promise<string[]> {
  const names = (await indexedDB.databases()).map(({ name }) => name)
  if (!names.includes('daymark-presses')) return []
  return await new Promise((resolve, reject) => {
    const opening = indexedDB.open('daymark-presses')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const request = opening.result.transaction('presses').objectStore('presses').getAll()
      request.onsuccess = () => {
        opening.result.close()
        resolve(request.result.map(({ action }) => action))
      }
    }
  })
}

// biome-ignore lint/suspicious/noExplicitAny: the parts of Firefox
type Parts = any

/** Runs in the browser itself, like the next function. Takes the place of the system, which shows notifications and may be without a screen. */
function takeNotifications() {
  const { Ci, ChromeUtils, Components, Services } = globalThis as Parts
  const system = {
    QueryInterface: ChromeUtils.generateQI(['nsIAlertsService']),
    showAlert(alert: Parts, listener: Parts) {
      ;(globalThis as Parts).pressLast = (action: string) =>
        listener.observe(
          { QueryInterface: ChromeUtils.generateQI(['nsIAlertAction']), action },
          'alertclickcallback',
          alert.cookie,
        )
      listener.observe(null, 'alertshow', alert.cookie)
    },
    closeAlert() {},
  }
  const factory = {
    QueryInterface: ChromeUtils.generateQI(['nsIFactory']),
    createInstance: (id: Parts) => system.QueryInterface(id),
  }
  Components.manager
    .QueryInterface(Ci.nsIComponentRegistrar)
    .registerFactory(Services.uuid.generateUUID(), '', '@mozilla.org/system-alerts-service;1', factory)
}

const pressLast = (action: string) => (globalThis as Parts).pressLast(action)
