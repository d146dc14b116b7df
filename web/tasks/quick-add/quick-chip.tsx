import { daysAfter } from '#contract/days.ts'
import type { DueMark, Mark, When } from '#contract/words/task-text.ts'
import { Button } from '../../ui/button.tsx'
import { formatDay, formatTime } from '../../ui/civil-day.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLocale } from '../../ui/use-locale.ts'
import { reminderText } from '../reminders/reminder-text.ts'
import { ruleText } from '../repeat/rule-text.ts'
import './quick-chip.css'

type QuickChipsProps = { marks: readonly Mark[]; today: string; onPress: (mark: Mark) => void }

export function QuickChips({ marks, today, onPress }: QuickChipsProps) {
  const locale = useLocale()
  const meaningOf = (mark: Mark) => {
    if (mark.field === 'priority') return `Priority: ${mark.value}`
    if (mark.field === 'dueDate') return dueOf(mark, today, locale)
    return `Reminder: ${reminderText(mark.value, { today, locale })}${assumptionsOf(mark.assumed)}`
  }
  return (
    <>
      <span role="status" className="visually-hidden">
        {marks.map(meaningOf).join(', ')}
      </span>
      {marks.map((mark) => (
        <Button
          key={mark.isOffer ? 'offer' : mark.field}
          className="quick-chip"
          data-priority={mark.field === 'priority' ? mark.value : undefined}
          data-offer={mark.isOffer || undefined}
          aria-label={`${meaningOf(mark)}, ${mark.isOffer ? 'use' : 'remove'}`}
          onClick={() => onPress(mark)}
        >
          {meaningOf(mark)}
          {mark.isOffer && '?'}
          <Icon name={mark.isOffer ? 'plus' : 'close'} />
        </Button>
      ))}
    </>
  )
}

const assumptions = {
  tomorrow: 'already over today',
  afternoon: 'afternoon assumed',
  midnight: 'the start of the day',
}

function dueOf(mark: DueMark, today: string, locale: string): string {
  const { value, time, assumed, repeat, repeatFrom = 'due' } = mark
  if (value === null) return 'No date'
  const due = [`Due ${nameOf(value, today, locale)}`, time ? formatTime(time, locale) : []].flat().join(', ')
  const rule = repeat ? ` · ${ruleText(repeat, repeatFrom, { today, locale })}` : ''
  return due + assumptionsOf(assumed) + rule
}

const assumptionsOf = (assumed: When['assumed'] = []) =>
  assumed.length > 0 ? ` (${assumed.map((each) => assumptions[each]).join(', ')})` : ''

function nameOf(day: string, today: string, locale: string): string {
  if (day === today) return 'today'
  return today && day === daysAfter(today, 1) ? 'tomorrow' : formatDay(day, today, locale)
}
