import { useMemo, useState } from 'react'
import { DayPicker } from 'react-day-picker'
import { useToday } from '../ui/civil-day.ts'
import { useLocale } from '../ui/locale.ts'
import './calendar.css'

/** Which month it is depends on the reader's clock, so it is not in the prerendered page. */
export function Calendar() {
  const today = useToday()
  return <div className="calendar">{today && <Month today={new Date(`${today}T12:00`)} />}</div>
}

/** A month to look at. Choosing a day is local and filters nothing (specification section 2). */
function Month({ today }: { today: Date }) {
  const [chosen, setChosen] = useState<Date>()
  const locale = useLocale()
  const words = useMemo(() => wordsIn(locale), [locale])
  return (
    <DayPicker
      mode="single"
      today={today}
      selected={chosen}
      onSelect={setChosen}
      weekStartsOn={firstDayOfWeek(locale)}
      showOutsideDays
      fixedWeeks
      {...words}
    />
  )
}

function wordsIn(locale: string) {
  const inWords = (options: Intl.DateTimeFormatOptions) => {
    // The grid is Gregorian, whatever calendar the reader's language prefers.
    const format = new Intl.DateTimeFormat(locale, { calendar: 'gregory', ...options })
    return (date: Date) => format.format(date)
  }
  const [month, weekday] = [inWords({ month: 'long', year: 'numeric' }), inWords({ weekday: 'long' })]
  const day = inWords({ dateStyle: 'full' })
  return {
    formatters: { formatCaption: month, formatWeekdayName: inWords({ weekday: 'narrow' }) },
    labels: {
      labelGrid: month,
      labelWeekday: weekday,
      labelDayButton: (date: Date, { today, selected }: { today?: boolean; selected?: boolean }) =>
        `${today ? 'Today, ' : ''}${day(date)}${selected ? ', selected' : ''}`,
    },
  }
}

/** 0 is Sunday. Not every browser knows; Monday is the international standard's. */
function firstDayOfWeek(locale: string) {
  const { firstDay } = new Intl.Locale(locale).getWeekInfo?.() ?? { firstDay: 1 }
  return (firstDay % 7) as 0 | 1 | 2 | 3 | 4 | 5 | 6
}
