import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { apiBase } from '#contract/limits.ts'
import { wakeOnline } from './ended-sessions.ts'

type PushedMessage = { title?: string; data?: Data } & NotificationOptions
type Data = { key?: string; items?: string[] }

type KeptPress = { mutation: string; key: string; action: string; at: string }
interface Presses extends DBSchema {
  presses: { key: string; value: KeptPress }
}

declare const self: ServiceWorkerGlobalScope

/** A logout deletes it (`web/api/session.ts`). */
const database = 'daymark-presses'

/** Shows any message, because browsers end the subscription of a worker that shows nothing. */
export function showReminder(data: PushMessageData | null): Promise<void> {
  let message: PushedMessage = {}
  try {
    message = data?.json().notification ?? {}
  } catch (error) {
    console.warn(error)
  }
  const { title = 'Reminder', ...options } = message
  // A later message of the same task replaces the earlier one, with a sound.
  const renotify = { renotify: Boolean(options.tag) }
  return self.registration.showNotification(title, { icon: '/icon-192.png', ...options, ...renotify })
}

/** Keeps and sends a press on a button. Another press opens the task. */
export async function answerReminder({ notification, action }: NotificationEvent): Promise<void> {
  const { key, items = [] } = (notification.data ?? {}) as Data
  if (!action || !key) {
    notification.close()
    return await open(items.length === 1 ? items[0] : undefined)
  }
  const press = { mutation: crypto.randomUUID(), key, action, at: new Date().toISOString() }
  await inPresses((presses) => presses.put('presses', press))
  // Only now: until the press is kept, it can be repeated.
  notification.close()
  await wakeOnline('presses')
  await sendPresses().catch(console.warn)
}

async function open(task: string | undefined) {
  const pages = await self.clients.matchAll({ type: 'window' })
  const page = pages.find(({ url }) => new URL(url).pathname.startsWith('/dashboard'))
  if (!page) return void (await self.clients.openWindow(task ? `/dashboard?task=${task}` : '/dashboard'))
  await page.focus()
  page.postMessage({ task })
}

export async function sendPresses(): Promise<void> {
  // Opening the database would create it.
  if (!(await indexedDB.databases()).some(({ name }) => name === database)) return
  let failure: unknown
  for (const press of await inPresses((presses) => presses.getAll('presses')))
    await send(press).catch((error) => {
      failure = error
    })
  if (failure) throw failure
}

/** Sends a press, and removes it after the answer of the server. A proxy may answer instead, with any status. */
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
