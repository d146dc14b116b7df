import { apiBase } from '#contract/limits.ts'
import { wakeOnline } from './ended-sessions.ts'

/** What a push message has, as the server sends it (`server/reminders/messages.ts`). */
type PushedMessage = { title?: string; data?: Data } & NotificationOptions
type Data = { key?: string; items?: string[] }

/** A press on a button of a notification, until the server has answered it. */
type KeptPress = { mutation: string; key: string; action: string; at: string }

declare const self: ServiceWorkerGlobalScope

/** Where this browser keeps presses. A logout deletes it (`web/api/session.ts`). */
const database = 'daymark-presses'

/** Shows a message, whatever it contains: browsers end the subscription of a worker that shows nothing. */
export function showReminder(data: PushMessageData | null): Promise<void> {
  let message: PushedMessage = {}
  try {
    message = data?.json().notification ?? {}
  } catch (error) {
    console.warn(error)
  }
  const { title = 'Reminder', ...options } = message
  // A later message of the same task replaces the earlier one, and is heard too.
  const renotify = { renotify: Boolean(options.tag) }
  return self.registration.showNotification(title, { icon: '/icon-192.png', ...options, ...renotify })
}

/** Keeps a press on a button and sends it; a press beside the buttons opens the task. */
export async function answerReminder({ notification, action }: NotificationEvent): Promise<void> {
  const { key, items = [] } = (notification.data ?? {}) as Data
  if (!action || !key) {
    notification.close()
    return await open(items.length === 1 ? items[0] : undefined)
  }
  const press = { mutation: crypto.randomUUID(), key, action, at: new Date().toISOString() }
  await inPresses('readwrite', (presses) => presses.put(press))
  // Not before: it can be pressed again as long as the press is not kept.
  notification.close()
  await wakeOnline('presses')
  await sendPresses().catch(console.warn)
}

/** Shows the task in a page that is open, or in a new one. */
async function open(task: string | undefined) {
  const pages = await self.clients.matchAll({ type: 'window' })
  const page = pages.find(({ url }) => new URL(url).pathname.startsWith('/dashboard'))
  if (!page) return void (await self.clients.openWindow(task ? `/dashboard?task=${task}` : '/dashboard'))
  await page.focus()
  page.postMessage({ task })
}

/** Sends the presses that the server has not answered. Fails if some are left. */
export async function sendPresses(): Promise<void> {
  // Opening it would create it.
  if (!(await indexedDB.databases()).some(({ name }) => name === database)) return
  let failure: unknown
  for (const press of await inPresses<KeptPress[]>('readonly', (presses) => presses.getAll()))
    await send(press).catch((error) => {
      failure = error
    })
  if (failure) throw failure
}

/** Sends a press, and forgets it once the server has answered. A proxy may answer in its place, with any status. */
async function send(press: KeptPress): Promise<void> {
  const answer = await fetch(`${apiBase}/reminders/press`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(press),
  })
  const { status } = answer
  const { applied, code } = (await answer.json()) as { applied?: boolean; code?: string }
  if (status === 429 || status >= 500 || (applied ?? code) === undefined)
    throw new Error(`The press was answered with ${status}.`)
  await inPresses('readwrite', (presses) => presses.delete(press.mutation))
}

/** The result of a request to the presses that this browser keeps. */
const inPresses = <Result>(
  mode: IDBTransactionMode,
  ask: (presses: IDBObjectStore) => IDBRequest,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open(database)
    opening.onerror = () => reject(opening.error)
    opening.onupgradeneeded = () => opening.result.createObjectStore('presses', { keyPath: 'mutation' })
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('presses', mode)
      const request = ask(transaction.objectStore('presses'))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
      transaction.addEventListener('complete', () => opening.result.close())
    }
  })
