import { call } from '../api/client.ts'
import { ownAccount, remindedKey } from '../api/session.ts'

/** Whether reminders of a closed page are possible here, or why not. */
export type Ability = 'able' | 'insecure' | 'unsupported' | 'denied'

export function ability(): Ability {
  if (!window.isSecureContext) return 'insecure'
  const isSupported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (!isSupported) return 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : 'able'
}

const registrationHere = () => navigator.serviceWorker?.getRegistration()

const subscriptionHere = async (): Promise<PushSubscription | null> =>
  (await (await registrationHere())?.pushManager?.getSubscription()) ?? null

/** Whether this browser was told to remind this account. A logout forgets it. */
const isChosenHere = () => localStorage.getItem(remindedKey) === ownAccount()

/** Whether the push service of this browser delivers the reminders of this account. */
export const isRemindedHere = async (): Promise<boolean> =>
  isChosenHere() && Notification.permission === 'granted' && (await subscriptionHere()) !== null

/** Sends the subscription of this browser to the server. */
async function register(subscription: PushSubscription) {
  const { endpoint = '', keys } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  await call('PUT /reminders/subscription', { body: { endpoint, keys: { p256dh, auth } } })
  localStorage.setItem(remindedKey, ownAccount() ?? '')
}

async function subscribe(key: string): Promise<void> {
  const registration = await registrationHere()
  if (!registration)
    throw new Error('This page is not installed for use without a network, which reminders need.')
  await register(
    await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }),
  )
}

/** Asks the browser for its permission, and subscribes it. Called by a press. Returns whether the browser allows it. */
export async function remindHere(key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  // An earlier subscription may have another key.
  await (await subscriptionHere())?.unsubscribe()
  await subscribe(key)
  return true
}

/** Ends the subscription of this browser; the server is told by its call. */
export async function stopHere(): Promise<void> {
  localStorage.removeItem(remindedKey)
  await (await subscriptionHere())?.unsubscribe()
}

/** Makes browser and server agree: subscriptions end silently on either side. `known`: the endpoint that the server has of this session. */
export async function compareSubscription(key: string, known: string | undefined): Promise<void> {
  if (ability() !== 'able') return
  const subscription = await subscriptionHere()
  if (!isChosenHere()) {
    // Of another account, which used this browser before.
    if (subscription && known === undefined) await subscription.unsubscribe()
  } else if (Notification.permission === 'granted') {
    if (!subscription) await subscribe(key)
    else if (subscription.endpoint !== known) await register(subscription)
  }
}
