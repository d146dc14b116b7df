import { useMemo, useState } from 'react'
import { DayPicker } from 'react-day-picker'
import { useToday } from '../ui/civil-day.ts'
import { useLocale } from '../ui/locale.ts'
import './calendar.css'

/** The month depends on the reader's clock, so it is not in the prerendered HTML. */
export function Calendar() {
  const today = useToday()
  return <div className="calendar">{today && <Month today={new Date(`${today}T12:00`)} />}</div>
}

/** A month. Selecting a day is local and filters nothing (specification section 2). */
function Month({ today }: { today: Date }) {
  const [chosen, setChosen] = useState<Date>()
  const locale = useLocale()
  const texts = useMemo(() => calendarTexts(locale), [locale])
  return (
    <DayPicker
      mode="single"
      today={today}
      selected={chosen}
      onSelect={setChosen}
      weekStartsOn={firstDayOfWeek(locale)}
      showOutsideDays
      fixedWeeks
      {...texts}
    />
  )
}

function calendarTexts(locale: string) {
  const formatter = (options: Intl.DateTimeFormatOptions) => {
    // The grid is Gregorian, whatever calendar the reader's language prefers.
    const format = new Intl.DateTimeFormat(locale, { calendar: 'gregory', ...options })
    return (date: Date) => format.format(date)
  }
  const [month, weekday] = [formatter({ month: 'long', year: 'numeric' }), formatter({ weekday: 'long' })]
  const day = formatter({ dateStyle: 'full' })
  return {
    formatters: { formatCaption: month, formatWeekdayName: formatter({ weekday: 'narrow' }) },
    labels: {
      labelGrid: month,
      labelWeekday: weekday,
      labelDayButton: (date: Date, { today, selected }: { today?: boolean; selected?: boolean }) =>
        `${today ? 'Today, ' : ''}${day(date)}${selected ? ', selected' : ''}`,
    },
  }
}

/** 0 is Sunday. Browsers without week information get Monday, as ISO 8601 has it. */
function firstDayOfWeek(locale: string) {
  const { firstDay } = new Intl.Locale(locale).getWeekInfo?.() ?? { firstDay: 1 }
  return (firstDay % 7) as 0 | 1 | 2 | 3 | 4 | 5 | 6
}
