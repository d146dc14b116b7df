import { parseReminders, type Reminding, reminderTimes } from '#contract/reminder-times.ts'

/** The reminders that a task has: its own, or the one of the settings. */
export const shownReminders = (task: Reminding, byDefault: string): string[] =>
  reminderTimes(task, byDefault).map(({ reminder }) => reminder)

/** The value of a task that has these reminders. Without one before its time, it says so, since the default would apply. */
export function writtenReminders(chosen: readonly string[], isTimed: boolean, byDefault: string): string {
  const absolute = chosen.filter(isAbsolute)
  const relative = chosen.filter((text) => !isAbsolute(text))
  const hasDefault = isTimed && byDefault !== 'none'
  if (relative.length === 0) return [...(hasDefault ? ['none'] : []), ...absolute].join(' ')
  return hasDefault && relative.join() === byDefault
    ? absolute.join(' ')
    : [...relative, ...absolute].join(' ')
}

const isAbsolute = (text: string) => parseReminders(text)?.[0]?.kind === 'at'
