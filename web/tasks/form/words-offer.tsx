import type { MouseEvent } from 'react'
import { timeHere } from '#contract/days.ts'
import { readTaskText } from '#contract/words/task-text.ts'
import { Button } from '../../ui/button.tsx'
import { formatDay, formatTime, useDayContext } from '../../ui/civil-day.ts'
import { reminderText } from '../reminders/reminder-text.ts'
import { findDates } from '../words/find-dates.ts'
import type { FormValues } from './form-values.ts'

type WordsOfferProps = {
  title: string
  onUse: (values: Partial<FormValues>) => void
}

export function WordsOffer({ title: typed, onUse }: WordsOfferProps) {
  const { today, locale } = useDayContext()
  const now = { today, time: timeHere() }
  const { offer } = readTaskText(typed, { now, findDates })
  const chosen = offer ? [offer.words.toLowerCase()] : []
  const { title, set, marks } = readTaskText(typed, { now, chosen, findDates })
  const isNeeded = marks.length > 0

  function use({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) {
    onUse({ ...set, title })
    const field = form?.elements.namedItem('title') as HTMLInputElement
    field.focus()
  }

  const meaning = marks.map((mark) => {
    if (mark.field === 'priority') return mark.value
    if (mark.field === 'reminders') return reminderText(mark.value, { today, locale })
    if (mark.value === null) return 'no date'
    const { value, time } = mark
    return [formatDay(value, today, locale), time ? formatTime(time, locale) : []].flat().join(', ')
  })
  return (
    <>
      <p role="status" className="visually-hidden">
        {isNeeded && `${meaning.join(', ')}: a button after the fields fills it in`}
      </p>
      {isNeeded && (
        <Button className="link-button words-offer target" onClick={use}>
          Use {meaning.join(', ')}
        </Button>
      )}
    </>
  )
}
