import { type ChangeEvent, useId, useState } from 'react'
import { repeatLimits } from '#contract/limits.ts'
import { formatRule, parseRule, type RepeatRule, weekdays } from '#contract/repeat-rules.ts'
import type { Task } from '#contract/tasks.ts'
import { useSettings } from '../../settings/settings-store.ts'
import { type DayContext, formatDay, useDayContext } from '../../ui/civil-day.ts'
import { firstDayNumber } from '../../ui/day-headings.ts'
import { Select } from '../../ui/field.tsx'
import { useLocale } from '../../ui/use-locale.ts'
import { periods, ruleText, weekdayName } from '../repeat/rule-text.ts'
import type { FormValues } from './form-values.ts'
import {
  chosenWeekdays,
  nextDays,
  offeredEnd,
  rulesFor,
  withEnd,
  withoutEnd,
  withWeekday,
} from './rule-choices.ts'
import './form-tools.css'

type RepeatFieldProps = {
  due: string
  repeat: string
  from: 'due' | 'done'
  task: Task | undefined
  onChoose: (values: Partial<FormValues>) => void
}

export function RepeatField({ due, repeat, from, task, onChoose }: RepeatFieldProps) {
  const id = useId()
  const place = useDayContext()
  const { today } = place
  const rule = parseRule(repeat)
  const chosen = withoutEnd(repeat)
  const offered = rulesFor(due || today)
  const rules = chosen === '' || offered.includes(chosen) ? offered : [...offered, chosen]

  return (
    <>
      <label htmlFor={id}>Repeat</label>
      <Select
        id={id}
        value={chosen}
        choices={[['', 'Never'], ...rules.map((each) => [each, ruleText(each, 'due', place)] as const)]}
        onChoose={(value) => onChoose({ repeat: rule && value ? withEnd(value, rule) : value })}
      />
      {rule && (
        <>
          {rule.freq === 'WEEKLY' && (
            <Weekdays
              rule={rule}
              day={due || today}
              onChoose={(changed) => onChoose({ repeat: formatRule(changed) })}
            />
          )}
          <div className="repeat-more row wraps">
            <Interval
              rule={rule}
              onChoose={(interval) => onChoose({ repeat: formatRule({ ...rule, interval }) })}
            />
            <End
              rule={rule}
              day={due || today}
              onChoose={(end) => onChoose({ repeat: withEnd(repeat, end) })}
            />
            <label className="row">
              <input
                type="checkbox"
                checked={from === 'done'}
                onChange={({ target }) => onChoose({ repeatFrom: target.checked ? 'done' : 'due' })}
              />
              Count from completion
            </label>
          </div>
          <p className="field-help" role="status">
            {nextText(nextDays(repeat, from, due || today, task), from, place)}
          </p>
        </>
      )}
    </>
  )
}

type WeekdaysProps = { rule: RepeatRule; day: string; onChoose: (rule: RepeatRule) => void }

function Weekdays({ rule, day, onChoose }: WeekdaysProps) {
  const locale = useLocale()
  const first = firstDayNumber(useSettings().firstDay, locale)
  const chosen = chosenWeekdays(rule, day)
  const [isLastKept, setLastKept] = useState(false)
  return (
    <fieldset className="repeat-weekdays wraps">
      <legend className="visually-hidden">Days of the week</legend>
      {weekdays.map((_, index) => {
        const weekday = (index + first + 6) % 7
        const isOn = chosen.includes(weekday)
        return (
          <label key={weekday} className="row">
            <input
              type="checkbox"
              aria-label={weekdayName(weekday, locale, 'long')}
              checked={isOn}
              onChange={() => {
                const changed = withWeekday(rule, weekday, !isOn, day)
                setLastKept(!changed)
                if (changed) onChoose(changed)
              }}
            />
            {weekdayName(weekday, locale, 'short')}
          </label>
        )
      })}
      <p className="field-help" role="status">
        {isLastKept && 'A weekly repeat needs at least one day. To end it, choose Never.'}
      </p>
    </fieldset>
  )
}

function Interval({ rule, onChoose }: { rule: RepeatRule; onChoose: (interval: number) => void }) {
  const field = useNumberField(rule.interval, onChoose)
  return (
    <label className="row">
      Every
      <input max={repeatLimits.interval} {...field} />
      {periods[rule.freq][rule.interval === 1 ? 0 : 1]}
    </label>
  )
}

/** While a number is typed, the field shows what was typed: it may be empty. */
function useNumberField(value: number, onChoose: (number: number) => void) {
  const [typed, setTyped] = useState<string>()
  return {
    ...{ type: 'number', min: 1, value: typed ?? value },
    onChange({ target }: ChangeEvent<HTMLInputElement>) {
      setTyped(target.value)
      if (target.validity.valid && target.value) onChoose(target.valueAsNumber)
    },
    onBlur: () => setTyped(undefined),
  }
}

type EndProps = {
  rule: RepeatRule
  day: string
  onChoose: (end: Pick<RepeatRule, 'count' | 'until'>) => void
}

function End({ rule, day, onChoose }: EndProps) {
  const { count, until } = rule
  const times = useNumberField(count ?? 1, (count) => onChoose({ count }))
  const is = until !== undefined ? 'until' : count !== undefined ? 'count' : 'never'
  const ends = { never: {}, until: { until: offeredEnd(rule, day) }, count: { count: 10 } }
  return (
    <>
      <label className="row">
        Ends
        <select value={is} onChange={({ target }) => onChoose(ends[target.value as typeof is])}>
          <option value="never">Never</option>
          <option value="until">On a day</option>
          <option value="count">After a number of times</option>
        </select>
      </label>
      {is === 'until' && (
        <input
          type="date"
          aria-label="Last day"
          min={day}
          value={until}
          onChange={({ target }) => target.value && onChoose({ until: target.value })}
        />
      )}
      {is === 'count' && <input aria-label="Number of times" max={repeatLimits.count} {...times} />}
    </>
  )
}

function nextText(days: string[], from: 'due' | 'done', { today, locale }: DayContext) {
  if (days.length === 0) return 'This never occurs.'
  const list = days.map((day) => formatDay(day, today, locale)).join(' · ')
  return from === 'done' && days.length > 1 ? `Next, if each is done on its day: ${list}` : `Next: ${list}`
}
