import { memo, useDeferredValue, useMemo, useState } from 'react'
import { DayPicker } from 'react-day-picker'
import { useSettings } from '../settings/settings-store.ts'
import { useStored } from '../store/use-store.ts'
import { useDayDrop } from '../tasks/planning/use-day-drop.ts'
import { sharedFormat, todayHere, useToday } from '../ui/civil-day.ts'
import { firstDayNumber } from '../ui/day-headings.ts'
import { useLocale } from '../ui/locale.ts'
import './calendar.css'

/** The month depends on the reader's clock, so it is not in the prerendered HTML. */
export function Calendar() {
  const today = useToday()
  // A changed task is painted first.
  const openDays = useDeferredValue(useStored((store) => store.openDays()))
  return <div className="calendar">{today && <Month day={today} openDays={openDays} />}</div>
}

/**
 * A month, in which the days with open tasks have a dot, a longer one for more tasks. Selecting a day is local and filters nothing (specification
 * section 2). A card that is dropped on a day moves its task to that day.
 */
const Month = memo(({ day, openDays }: { day: string; openDays: ReadonlyMap<string, number> }) => {
  const today = new Date(`${day}T12:00`)
  const [chosen, setChosen] = useState<Date>()
  const [month, setMonth] = useState(today)
  const locale = useLocale()
  const { firstDay } = useSettings()
  const weekStartsOn = firstDayNumber(firstDay, locale)
  const texts = useMemo(() => calendarTexts(locale), [locale])
  const loadOn = (date: Date) => openDays.get(todayHere(date)) ?? 0
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
          busy: (date: Date) => loadOn(date) > 0,
          full: (date: Date) => loadOn(date) > 2,
          packed: (date: Date) => loadOn(date) > 5,
          over: (date: Date) => todayHere(date) === over,
        }}
        modifiersClassNames={{
          busy: 'calendar-busy',
          full: 'calendar-full',
          packed: 'calendar-packed',
          over: 'calendar-over',
        }}
        dateLib={isoDates}
        weekStartsOn={weekStartsOn}
        showOutsideDays
        fixedWeeks
        {...texts}
      />
    </div>
  )
})

/** Days and months of a calendar's keys, `yyyy-MM-dd` and `yyyy-MM`. `calendarTexts` formats the visible texts and labels. */
const isoDates = { format: (date: Date, pattern: string) => todayHere(date).slice(0, pattern.length) }

function calendarTexts(locale: string) {
  const formatter = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...sharedFormat, ...options })
    return (date: Date) => format.format(date)
  }
  const [month, weekday] = [formatter({ month: 'long', year: 'numeric' }), formatter({ weekday: 'long' })]
  const day = formatter({ dateStyle: 'full' })
  return {
    formatters: {
      formatCaption: month,
      formatWeekdayName: formatter({ weekday: 'narrow' }),
      formatDay: (date: Date) => String(date.getDate()),
    },
    labels: {
      labelGrid: month,
      labelWeekday: weekday,
      labelDayButton: (date: Date, { today, selected, busy }: Record<string, boolean>) =>
        `${today ? 'Today, ' : ''}${day(date)}${busy ? ', has tasks' : ''}${selected ? ', selected' : ''}`,
    },
  }
}
