import { expect, test } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { hasEarlier } from './occurrences.ts'

const today = '2026-11-28'
const daily = {
  ...{ _id: 'one', series: 'one', doneAt: null },
  ...{ repeat: 'FREQ=DAILY', repeatFrom: 'due', repeatDay: today, dueDate: today },
} as Task

test.each<[string, Partial<Task>, boolean]>([
  ['is due today', {}, false],
  ['comes later', { repeatDay: '2026-12-01', dueDate: '2026-12-01' }, false],
  ['is due since yesterday, of which no day was missed yet', { repeatDay: '2026-11-27' }, false],
  ['is due since the day before yesterday, so that yesterday was missed', { repeatDay: '2026-11-26' }, true],
  ['counts from its completion', { repeatDay: '2026-11-20', repeatFrom: 'done' }, false],
  ['follows a completed one', { series: 'zero' }, true],
  ['is done', { doneAt: '2026-11-28T10:00:00.000Z' }, true],
  [
    'is due since an early day of a rule that came once more long ago',
    { repeat: 'FREQ=DAILY;COUNT=2', repeatDay: '2026-09-01' },
    false,
  ],
])(
  'Earlier is offered only where an occurrence was done or missed: a first task that %s',
  (_, values, isShown) => {
    expect(hasEarlier({ ...daily, ...values }, today)).toBe(isShown)
  },
)
