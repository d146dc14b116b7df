import { useEffect, useEffectEvent, useState } from 'react'
import { isSessionOver, ownAccount } from '../api/session.ts'
import { isRemindedHere } from '../settings/push.ts'
import { useSettings } from '../settings/settings-store.ts'
import { useParts, useStored } from '../state/dashboard.tsx'
import { onEachMinute } from '../ui/civil-day.ts'
import { claimReminders, type DueReminder, remindersBetween, stillReminds } from './due-reminders.ts'

/** The reminders that this tab shows stay in it when it is loaded anew. */
const keyOf = (account: string) => `reminders ${account} shown`

function keptReminders(account: string): DueReminder[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(account)) ?? '[]')
  } catch {
    return []
  }
}

/** The reminders that have come while the page is open and were not dismissed, and the function that dismisses those of a task. */
export function useDueReminders() {
  const { store } = useParts()
  const [account] = useState(() => ownAccount() ?? '')
  const { defaultReminder } = useSettings()
  const [come, setCome] = useState(() => keptReminders(account))

  function keep(reminders: DueReminder[]) {
    setCome(reminders)
    if (!isSessionOver()) sessionStorage.setItem(keyOf(account), JSON.stringify(reminders))
  }

  const look = useEffectEvent(async () => {
    // A tab in the background leaves it to the one that a person looks at.
    if (document.visibilityState === 'hidden' || isSessionOver()) return
    const news = await claimReminders(account, (period) =>
      remindersBetween(store.tasks(), defaultReminder, period),
    )
    // The push service shows them.
    if (news.length === 0 || (await isRemindedHere())) return
    const items = new Set(news.map(({ item }) => item))
    keep([...keptReminders(account).filter(({ item }) => !items.has(item)), ...news])
  })
  useEffect(() => {
    const lookNow = () => void look().catch(console.error)
    lookNow()
    return onEachMinute(lookNow)
  }, [])

  const shown = useStored((store) =>
    come
      .filter(({ item, at }) => stillReminds(store.task(item), at, defaultReminder))
      .map(({ item }) => item)
      .join(' '),
  )
  return {
    items: shown.split(' ').filter(Boolean),
    dismiss: (item: string) => keep(keptReminders(account).filter((each) => each.item !== item)),
  }
}
