import { expect, test } from 'vitest'
import { readTaskText } from '#contract/words/task-text.ts'
import { findDates, phrasesIn } from '../testing/word-readers.ts'

/** A Wednesday. */
const now = { today: '2026-11-25', time: '14:00' }

/** `Title | due day and time | reminder`. */
function read(text: string) {
  const { title, set } = readTaskText(text, { now, findDates })
  const due = [set.dueDate ?? [], set.dueTime ?? [], set.repeat ?? []].flat().join(' ')
  return [title, due, set.reminders ?? ''].join(' | ')
}

test.each([
  // A time alone belongs to the day of the line, and goes on with its repeat.
  ['Call Ann on friday remind me at 8', 'Call Ann | 2026-11-27 | 0d08:00'],
  ['Call Ann friday, remind me at 8pm !high', 'Call Ann | 2026-11-27 | 0d20:00'],
  ['Call Ann friday at 5pm and remind me at 4pm', 'Call Ann | 2026-11-27 17:00 | 0d16:00'],
  ['Bins every friday remind me at 7am', 'Bins | 2026-11-27 FREQ=WEEKLY;BYDAY=FR | 0d07:00'],
  ['Call Ann today remind me at 16:30', 'Call Ann | 2026-11-25 | 0d16:30'],
  ['Anna am Freitag anrufen, erinnere mich um 8', 'Anna anrufen | 2026-11-27 | 0d08:00'],
  ['Anna morgen anrufen und erinner mich um 8 Uhr', 'Anna anrufen | 2026-11-26 | 0d08:00'],
  ['Appeler Anne demain, rappelle-moi à 8 h', 'Appeler Anne | 2026-11-26 | 0d08:00'],
  ['Appeler Anne vendredi rappelle-moi à 8h30', 'Appeler Anne | 2026-11-27 | 0d08:30'],
  // Otherwise the clock shows it next.
  ['Call Ann remind me at 8', 'Call Ann |  | 2026-11-26T08:00'],
  ['Call Ann remind me at 8pm', 'Call Ann |  | 2026-11-25T20:00'],
  ['Call Ann today remind me at 8', 'Call Ann | 2026-11-25 | 2026-11-26T08:00'],
  ['Anna anrufen, erinnere mich um 20 Uhr', 'Anna anrufen |  | 2026-11-25T20:00'],
  ['Appeler Anne, rappelle-moi à 8 h', 'Appeler Anne |  | 2026-11-26T08:00'],
  // A day and a time.
  ['Call Ann remind me tomorrow at 9', 'Call Ann |  | 2026-11-26T09:00'],
  ['Pay the rent 1 dec, remind me on friday at 9am', 'Pay the rent | 2026-12-01 | 2026-11-27T09:00'],
  ['Miete am 1.12. zahlen, erinnere mich am Freitag um 9', 'Miete zahlen | 2026-12-01 | 2026-11-27T09:00'],
  ['Payer le loyer, rappelle-moi demain à 9h', 'Payer le loyer |  | 2026-11-26T09:00'],
  ['Call Ann remind me in 2 hours', 'Call Ann |  | 2026-11-25T16:00'],
  // The words stand first.
  ['Remind me at 8 to call Ann', 'call Ann |  | 2026-11-26T08:00'],
  ['Remind me tomorrow at 9 to call Ann', 'call Ann |  | 2026-11-26T09:00'],
  ['Remind me at 8pm: call Ann friday', 'call Ann | 2026-11-27 | 0d20:00'],
  ['Rappelle-moi à 8 h d’appeler Anne', 'appeler Anne |  | 2026-11-26T08:00'],
  ['Erinnere mich um 20 Uhr: Anna anrufen', 'Anna anrufen |  | 2026-11-25T20:00'],
])('“%s” is “%s”', (text, expected) => {
  expect(read(text)).toBe(expected)
})

test.each(
  phrasesIn(`
    Remind me to call Ann; Remind me of the party; Remind me at work; Remind me; Don’t remind me
    Erinnere mich an das Fest; Rappelle-moi de payer; Write “remind me at 8” on the wall
  `),
)('“%s” sets no reminder', (text) => {
  expect(read(text)).toBe(`${text} |  | `)
})

test('“Remind me to call Ann at 8pm” is due at that time, and “every day” after “remind me” is a repeat', () => {
  expect(read('Remind me to call Ann at 8pm')).toBe('Remind me to call Ann | 2026-11-25 20:00 | ')
  expect(read('Pills remind me every day at 9am').split(' | ')[2]).toBe('')
})

test('dismissed words stay in the title and name neither a reminder nor a day', () => {
  const text = 'Call Ann remind me tomorrow at 9'
  const [mark] = readTaskText(text, { now, findDates }).marks
  expect(mark).toMatchObject({ field: 'reminders', words: 'remind me tomorrow at 9' })
  const dismissed = [String(mark?.words)]
  expect(readTaskText(text, { now, findDates, dismissed })).toMatchObject({ title: text, set: {} })
})
