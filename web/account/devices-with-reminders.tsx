import { useEffect, useEffectEvent, useState } from 'react'
import type { Reminders } from '#contract/reminders.ts'
import { call } from '../api/page-client.ts'
import { type Ability, ability, readReminders, remindHere, stopHere } from '../settings/push.ts'
import { changeSettings, settingsNow, zoneHere } from '../settings/settings-store.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import { Access, unlessEnded, useDays } from './access.tsx'

export function DevicesWithReminders() {
  const [reminders, setReminders] = useState<Reminders>()
  const [failure, setFailure] = useState('')
  /** What this browser allows. A person may have changed it meanwhile, in the settings of the browser. */
  const [able, setAble] = useState<Ability>()
  const dayOf = useDays()
  async function load() {
    setAble(await ability())
    setReminders(await readReminders())
  }
  const loadOnce = useEffectEvent(() => load().catch(fail))
  useEffect(() => {
    loadOnce()
    const look = () => ability().then(setAble, console.warn)
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [])

  function fail(error: Error) {
    console.error(error)
    setFailure(`This did not work. ${error.message}`)
  }

  const attempt = (work: () => Promise<void>) => {
    setFailure('')
    return work().catch(fail)
  }
  const [add, isAdding] = useOneAtATime((key: string) =>
    attempt(async () => {
      const isAllowed = await remindHere(key)
      setAble(await ability())
      if (!isAllowed) return
      // From now on the server reminds, in this zone.
      if (settingsNow().zone === null) changeSettings({ zone: zoneHere(), zonePinned: false })
      await load()
    }),
  )
  const [remove, isRemoving] = useOneAtATime(({ id, current }: Reminders['subscriptions'][number]) =>
    attempt(async () => {
      if (current) await stopHere()
      await call('DELETE /reminders/subscriptions/:id', { params: { id } }).catch(
        unlessEnded('no-such-subscription'),
      )
      await load()
    }),
  )
  if (!reminders || !able) return failure && <Notice>{failure}</Notice>
  const { key, isOn, reachesApple, subscriptions } = reminders
  const isHere = subscriptions.some(({ current }) => current)
  return (
    <div className="sessions" aria-busy={isAdding || isRemoving}>
      {!isOn && <p>This server sends no notifications until its operator turns reminders on.</p>}
      {!isHere && <p>{able === 'able' ? offer : reasons[able]}</p>}
      {!isHere && able === 'able' && <Button onClick={() => add(key)}>Remind me on this device</Button>}
      {isHere && able === 'denied' && <p>{reasons.denied}</p>}
      {isHere && <p>{installing}</p>}
      {!reachesApple && (
        <p>
          iPhones and iPads will not be reached: Apple refuses messages of a server whose operator has set
          neither PUBLIC_URL nor CONTACT.
        </p>
      )}
      {failure && <Notice>{failure}</Notice>}
      {subscriptions.length > 0 && (
        <ul className="stack loose" aria-label="Devices that remind">
          {subscriptions.map((subscription) => {
            const name = subscription.name || 'Unknown browser'
            return (
              <Access
                key={subscription.id}
                name={name}
                isHere={subscription.current}
                action="Stop"
                label={`Stop reminding on ${name}`}
                onEnd={() => remove(subscription)}
              >
                Reminds since {dayOf(subscription.createdAt)}
              </Access>
            )
          })}
        </ul>
      )}
    </div>
  )
}

const offer =
  'Daymark can remind you on this device while its page is closed. Your browser will ask whether Daymark may show notifications.'

const installing =
  'Browsers can take the permission away from a page that is rarely opened, but not from an installed one: install Daymark from the menu of the browser.'

const reasons = {
  insecure: 'This address cannot remind while the page is closed: browsers allow it for https alone.',
  unsupported:
    'This browser cannot remind while the page is closed. On an iPhone or iPad, add Daymark to the home screen first, and open it there.',
  uninstalled:
    'This browser does not keep Daymark for use without a network, which reminders of a closed page need. Load the page again. If that does not help, the operator of the server has turned it off.',
  denied:
    'This browser blocks notifications of Daymark. Allow them in the settings of the site, beside its address in the browser, and come back.',
}
