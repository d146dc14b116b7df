import type { Page, Worker } from '@playwright/test'
import type { Reminders } from '#contract/reminders.ts'
import { openDashboard, titlesOf } from './dashboard-page.ts'
import { day, noonZone } from './days.ts'
import { expect, signedInTest as test } from './fixtures.ts'

test.use({ serviceWorkers: 'allow' })

const settings = (page: Page) => page.getByRole('region', { name: 'Reminders' }).last()

/** Opens the dashboard, and returns the function that delivers a push message to its worker. */
async function install(page: Page) {
  const session = await page.context().newCDPSession(page)
  const registered = Promise.withResolvers<string>()
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [registration] }) => {
    if (registration) registered.resolve(registration.registrationId)
  })
  await session.send('ServiceWorker.enable')
  await openDashboard(page)
  await page.evaluate(() => navigator.serviceWorker.ready)
  const registrationId = await registered.promise
  await expect.poll(() => page.context().serviceWorkers().length).toBe(1)
  await takeNotifications(page)
  const { origin } = new URL(page.url())
  return (data: string) => session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
}

type Shown = { title: string; body?: string; tag?: string; close: () => void }
/** What the functions below use of the scope of a worker. */
type Scope = { shown: Shown[]; registration: object } & EventTarget

const workerOf = (page: Page) => page.context().serviceWorkers()[0] as Worker

/** Takes the notifications of the worker, as the browser does: headless Chromium has none. */
const takeNotifications = (page: Page) =>
  workerOf(page).evaluate(() => {
    const scope = self as unknown as Scope
    scope.shown = []
    const without = (tag?: string) => scope.shown.filter((each) => tag === undefined || each.tag !== tag)
    Object.assign(scope.registration, {
      async showNotification(title: string, options: Omit<Shown, 'title'>) {
        const close = () => {
          scope.shown = scope.shown.filter((each) => each !== notification)
        }
        const notification = { title, ...options, close }
        scope.shown = [...without(options.tag), notification]
      },
    })
  })

const shown = (page: Page) =>
  workerOf(page).evaluate(() =>
    (self as unknown as Scope).shown.map(({ title, body }) =>
      body === undefined ? title : `${title}: ${body}`,
    ),
  )

const presses = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open('daymark-presses')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const request = opening.result.transaction('presses').objectStore('presses').getAll()
          request.onsuccess = () => resolve(request.result.map(({ action }) => action))
        }
      }),
  )

/** Presses a button of the notification that is shown, as a person does. */
const press = (page: Page, action: string) =>
  workerOf(page).evaluate((action) => {
    const scope = self as unknown as Scope
    const notification = scope.shown.at(-1)
    const waitUntil = () => {}
    scope.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, action, waitUntil }))
  }, action)

const message = (values: object) => JSON.stringify({ web_push: 8030, notification: values })

test('Each push message shows a notification, also one that cannot be read', async ({ page, context }) => {
  const deliver = await install(page)
  await deliver(message({ title: 'Train', body: 'Due at 10:00', tag: 'a' }))
  await expect.poll(() => shown(page)).toEqual(['Train: Due at 10:00'])
  await deliver(message({ title: 'Train', body: 'Due at 11:00', tag: 'a' }))
  await expect.poll(() => shown(page)).toEqual(['Train: Due at 11:00'])
  await deliver('?')
  await expect.poll(() => shown(page)).toEqual(['Train: Due at 11:00', 'Reminder'])
  await test.step('A press on a notification without a network waits in the browser, and is sent by the next message', async () => {
    await deliver(message({ title: 'Train', tag: 'a', data: { key: 'over', items: ['a'] } }))
    await expect.poll(() => shown(page)).toEqual(['Reminder', 'Train'])
    await context.setOffline(true)
    await press(page, 'done')
    await expect.poll(() => presses(page)).toEqual(['done'])
    await expect.poll(() => shown(page)).toEqual(['Reminder'])
    await context.setOffline(false)
    await deliver(message({ title: 'Bus', tag: 'b' }))
    await expect.poll(() => presses(page)).toEqual([])
  })
})

test('The address of a notification shows its task', async ({ page, user }) => {
  const { _id } = await user.add({ title: 'Train', dueDate: day(3) })
  await user.call('PATCH', '/settings', { settings: { zone: 'Europe/Berlin', zonePinned: true } })
  await openDashboard(page, 0)
  await page.goto(`/dashboard?task=${_id}`)
  await expect.poll(() => titlesOf(page)).toEqual(['Train'])
  await expect(page.locator(`[data-task="${_id}"]`)).toBeFocused()
  expect(page.url()).not.toContain('task=')
})

test('Settings say that notifications are blocked, and keep quiet hours', async ({ page, context, user }) => {
  await context.clearPermissions()
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }))
  await openDashboard(page)
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await expect(settings(page)).toContainText('This browser blocks notifications of Daymark.')
  await settings(page).getByLabel('Reminders in').selectOption('Asia/Tokyo')
  await settings(page).getByLabel('Quiet hours').check()
  await settings(page).getByLabel('Quiet from').fill('21:30')
  await expect
    .poll(() => user.call('GET', '/settings'))
    .toMatchObject({
      settings: { zone: 'Asia/Tokyo', zonePinned: true, quietFrom: '21:30', quietUntil: '07:00' },
    })
})

test('Remind me on this device subscribes the browser, and Stop ends it', async ({ page, user }) => {
  // Chromium asks a push service, which tests do not have.
  await page.addInitScript(() => {
    const endpoint = 'https://updates.push.services.mozilla.com/wpush/v2/abc'
    const keys = {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    }
    const isSubscribed = () => sessionStorage.getItem('subscribed') !== null
    const unsubscribe = async () => sessionStorage.removeItem('subscribed')
    const subscription = { endpoint, toJSON: () => ({ endpoint, keys }), unsubscribe }
    Object.defineProperty(Notification, 'permission', {
      get: () => sessionStorage.getItem('permission') ?? 'default',
    })
    Notification.requestPermission = async () => {
      sessionStorage.setItem('permission', 'granted')
      return 'granted'
    }
    Object.assign(PushManager.prototype, {
      getSubscription: async () => (isSubscribed() ? subscription : null),
      async subscribe() {
        sessionStorage.setItem('subscribed', '')
        return subscription
      },
    })
  })
  const known = async () => {
    const { reminders } = await user.call<{ reminders: Reminders }>('GET', '/reminders')
    return reminders.subscriptions.map(({ current }) => current)
  }
  await openDashboard(page)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  const add = settings(page).getByRole('button', { name: 'Remind me on this device' })
  await expect(settings(page)).toContainText('Your browser will ask whether Daymark may show notifications.')
  await add.click()
  await expect(settings(page)).toContainText('This browser')
  await expect.poll(known).toEqual([true])
  await expect.poll(() => user.call('GET', '/settings')).toMatchObject({ settings: { zone: noonZone } })
  await settings(page)
    .getByRole('button', { name: /^Stop reminding on/ })
    .click()
  await expect(add).toBeVisible()
  await expect.poll(known).toEqual([])
})
