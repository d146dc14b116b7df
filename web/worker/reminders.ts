import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { apiBase } from '#contract/limits.ts'
import { wakeOnline } from './ended-sessions.ts'

/** What a push message has, as the server sends it (`server/reminders/messages.ts`). */
type PushedMessage = { title?: string; data?: Data } & NotificationOptions
type Data = { key?: string; items?: string[] }

/** A press on a button of a notification, until the server has answered it. */
type KeptPress = { mutation: string; key: string; action: string; at: string }
interface Presses extends DBSchema {
  presses: { key: string; value: KeptPress }
}

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
  await inPresses((presses) => presses.put('presses', press))
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
  for (const press of await inPresses((presses) => presses.getAll('presses')))
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
  await inPresses((presses) => presses.delete('presses', press.mutation))
}

/** Works on the presses that this browser keeps. */
async function inPresses<Result>(work: (presses: IDBPDatabase<Presses>) => Promise<Result>): Promise<Result> {
  const presses = await openDB<Presses>(database, 1, {
    upgrade: (created) => void created.createObjectStore('presses', { keyPath: 'mutation' }),
  })
  try {
    return await work(presses)
  } finally {
    presses.close()
  }
}
