import { useMemo, useState } from 'react'
import { DayPicker } from 'react-day-picker'
import { useSettings } from '../settings/settings-store.ts'
import { useOpenDays } from '../tasks/open-days.ts'
import { daysAfter, sharedFormat, todayHere, useToday } from '../ui/civil-day.ts'
import { useLocale } from '../ui/locale.ts'
import { useDayDrop } from './use-day-drop.ts'
import './calendar.css'

/** The month depends on the reader's clock, so it is not in the prerendered HTML. */
export function Calendar() {
  const today = useToday()
  return <div className="calendar">{today && <Month today={new Date(`${today}T12:00`)} />}</div>
}

/**
 * A month, in which the days with open tasks have a dot. Selecting a day is local and filters nothing (specification
 * section 2). A card that is dropped on a day moves its task to that day.
 */
function Month({ today }: { today: Date }) {
  const [chosen, setChosen] = useState<Date>()
  const [month, setMonth] = useState(today)
  const locale = useLocale()
  const { firstDay } = useSettings()
  const weekStartsOn = firstDay === 'locale' ? firstDayOfWeek(locale) : dayNumbers[firstDay]
  const texts = useMemo(() => calendarTexts(locale), [locale])
  const openDays = useOpenDays(...shownDays(month, weekStartsOn))
  const { over, ...dropZone } = useDayDrop()
  return (
    <div {...dropZone}>
      <DayPicker
        mode="single"
        today={today}
        selected={chosen}
        onSelect={setChosen}
        month={month}
        onMonthChange={setMonth}
        modifiers={{
          busy: (date: Date) => openDays.has(todayHere(date)),
          over: (date: Date) => todayHere(date) === over,
        }}
        modifiersClassNames={{ busy: 'calendar-busy', over: 'calendar-over' }}
        weekStartsOn={weekStartsOn}
        showOutsideDays
        fixedWeeks
        {...texts}
      />
    </div>
  )
}

/** The first and the last of the six weeks' days that a month is shown with. */
function shownDays(month: Date, weekStartsOn: number): [from: string, to: string] {
  const first = new Date(month.getFullYear(), month.getMonth(), 1, 12)
  const before = (first.getDay() - weekStartsOn + 7) % 7
  const from = daysAfter(todayHere(first), -before)
  return [from, daysAfter(from, 6 * 7 - 1)]
}

function calendarTexts(locale: string) {
  const formatter = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...sharedFormat, ...options })
    return (date: Date) => format.format(date)
  }
  const [month, weekday] = [formatter({ month: 'long', year: 'numeric' }), formatter({ weekday: 'long' })]
  const day = formatter({ dateStyle: 'full' })
  return {
    formatters: { formatCaption: month, formatWeekdayName: formatter({ weekday: 'narrow' }) },
    labels: {
      labelGrid: month,
      labelWeekday: weekday,
      labelDayButton: (date: Date, { today, selected, busy }: Record<string, boolean>) =>
        `${today ? 'Today, ' : ''}${day(date)}${busy ? ', has tasks' : ''}${selected ? ', selected' : ''}`,
    },
  }
}

const dayNumbers = { sunday: 0, monday: 1, saturday: 6 } as const

/** 0 is Sunday. Browsers without week information get Monday, as ISO 8601 has it. */
function firstDayOfWeek(locale: string) {
  const { firstDay } = new Intl.Locale(locale).getWeekInfo?.() ?? { firstDay: 1 }
  return (firstDay % 7) as 0 | 1 | 2 | 3 | 4 | 5 | 6
}
