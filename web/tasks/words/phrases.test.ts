import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatRule, parseRule, type RepeatRule } from '#contract/repeat-rules.ts'
import { daysAfter } from '../../ui/civil-day.ts'
import { rulesFor } from '../form/rule-choices.ts'
import { ruleText } from '../repeat/rule-text.ts'
import { dateWordsOf } from './date-words.ts'
import { readTaskText } from './task-text.ts'

const findDates = dateWordsOf([], false)
const today = '2026-11-25'

/** A rule that the form of a task can make, with a number of periods, other days of the week, and an end. */
const chosen = fc
  .record({
    due: fc.nat(1500),
    which: fc.nat(20),
    interval: fc.integer({ min: 1, max: 12 }),
    weekdays: fc.uniqueArray(fc.nat(6), { minLength: 1 }),
    end: fc.oneof(
      fc.constant({}),
      fc.record({ count: fc.integer({ min: 1, max: 30 }) }),
      fc.nat(700).map((days) => ({ until: daysAfter(today, 1600 + days) })),
    ),
  })
  .map(({ due, which, interval, weekdays, end }): string => {
    const rules = rulesFor(daysAfter(today, due))
    const rule = parseRule(rules[which % rules.length] as string) as RepeatRule
    const byDay = weekdays.toSorted().map((weekday) => ({ weekday }))
    return formatRule({ ...rule, interval, ...(rule.freq === 'WEEKLY' && { byDay }), ...end })
  })

test('Any rule that the form of a task can make is read from its phrase as the same rule', () => {
  fc.assert(
    fc.property(chosen, fc.constantFrom('due', 'done'), (rule, from) => {
      const phrase = ruleText(rule, from as 'due', { today, locale: 'en-GB' })
      const text = `Water the plants ${phrase[0]?.toLowerCase()}${phrase.slice(1)}`
      const { title, set } = readTaskText(text, { now: { today, time: '14:00' }, findDates })
      const read = parseRule(set.repeat ?? '')
      expect([phrase, title, read && formatRule(read), set.repeatFrom ?? 'due']).toEqual([
        phrase,
        'Water the plants',
        rule,
        from,
      ])
    }),
    { numRuns: 500 },
  )
})
