import type { Reminders } from '#contract/reminders.ts'
import { call } from '../api/page-client.ts'
import { acknowledgedKey, keepReminded, ownAccount, remindedKey } from '../api/session.ts'

export type Ability = 'able' | 'insecure' | 'unsupported' | 'denied' | 'uninstalled'

export async function ability(): Promise<Ability> {
  if (!window.isSecureContext) return 'insecure'
  const isSupported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (!isSupported) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  return (await registrationHere()) ? 'able' : 'uninstalled'
}

const registrationHere = () => navigator.serviceWorker?.getRegistration()

const subscriptionHere = async (): Promise<PushSubscription | null> =>
  (await (await registrationHere())?.pushManager?.getSubscription()) ?? null

/** A logout forgets the choice. */
const isChosenHere = () => localStorage.getItem(remindedKey) === ownAccount()

const acknowledged = () => localStorage.getItem(acknowledgedKey)

/** Whether the server sends the reminders of this account to this browser, as far as is known. */
export async function isRemindedHere(): Promise<boolean> {
  if (!isChosenHere() || Notification.permission !== 'granted') return false
  if ((await subscriptionHere())?.endpoint !== acknowledged()) return false
  const answer = await (reading ?? readReminders()).catch(console.warn)
  return isChosenHere() && (answer?.isOn ?? true)
}

/** The last call for the reminders of the account, unless it failed. */
let reading: Promise<Reminders> | undefined

export function readReminders(): Promise<Reminders> {
  const before = acknowledged()
  const read = async () => {
    const { reminders } = (await call('GET /reminders')).data
    // Otherwise a press has begun or ended the reminders of this browser meanwhile.
    if (before === acknowledged()) await compareSubscription(reminders).catch(console.warn)
    return reminders
  }
  const current = read()
  reading = current
  current.catch(() => {
    if (reading === current) reading = undefined
  })
  return current
}

async function register(subscription: PushSubscription) {
  const { endpoint = '', keys } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  await call('PUT /reminders/subscription', { body: { endpoint, keys: { p256dh, auth } } })
  keepReminded(endpoint)
}

async function subscribe(key: string): Promise<void> {
  const registration = await registrationHere()
  if (!registration)
    throw new Error('This page is not installed for use without a network, which reminders need.')
  await register(
    await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }),
  )
}

/** Subscribes this browser anew, in one tab of all. */
const replace = (subscription: PushSubscription, key: string) =>
  navigator.locks.request('new subscription', { ifAvailable: true }, async (lock) => {
    if (!lock || subscription.endpoint !== acknowledged()) return
    await subscription.unsubscribe()
    await subscribe(key)
  })

/** Called by a press. Returns whether the browser allows it. */
export async function remindHere(key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  // An earlier subscription may have another key.
  await (await subscriptionHere())?.unsubscribe()
  await subscribe(key)
  return true
}

/** The server is told by its call. */
export async function stopHere(): Promise<void> {
  localStorage.removeItem(remindedKey)
  localStorage.removeItem(acknowledgedKey)
  await (await subscriptionHere())?.unsubscribe()
}

/**
 * Subscriptions end silently on either side. What the browser has changed is registered. What its push service has ended is
 * replaced, which the browser may not know. Otherwise the server is right: another device may have stopped this one.
 */
async function compareSubscription({ key, subscriptions, hasEnded }: Reminders): Promise<void> {
  if ((await ability()) !== 'able') return
  const subscription = await subscriptionHere()
  const known = subscriptions.find(({ current }) => current)?.endpoint
  if (!isChosenHere()) {
    // Of another account, which used this browser before.
    if (subscription && known === undefined) await subscription.unsubscribe()
  } else if (Notification.permission === 'granted') {
    if (!subscription) await subscribe(key)
    else if (subscription.endpoint !== acknowledged()) await register(subscription)
    else if (hasEnded) await replace(subscription, key)
    else if (subscription.endpoint !== known) await stopHere()
  }
}
