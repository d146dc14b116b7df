import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTaskText } from '#contract/words/task-text.ts'
import { findDates, phrasesIn } from '../testing/word-readers.ts'

/** A Wednesday. */
const today = '2026-11-25'
const read = (text: string, time = '10:00') => readTaskText(text, { now: { today, time }, findDates })

/** `Title | due day and time | rule | reminder`, and what was assumed. */
function said(text: string, time?: string) {
  const { title, set, marks } = read(text, time)
  const assumed = marks.flatMap((mark) => (mark.field === 'priority' ? [] : (mark.assumed ?? [])))
  const due = [set.dueDate ?? [], set.dueTime ?? [], assumed.length > 0 ? `(${assumed})` : []]
    .flat()
    .join(' ')
  const rule = [set.repeat ?? '', set.repeatFrom === 'done' ? 'done' : []].flat().join(' ')
  return [title, due, rule, set.reminders ?? ''].join(' | ').replace(/( \| )+$/, '')
}

test.each([
  // A day with a repeat is its first day.
  ['Pay rent tomorrow 5pm every month', 'Pay rent | 2026-11-26 17:00 | FREQ=MONTHLY'],
  ['Tomorrow pay rent every month', 'pay rent | 2026-11-26 | FREQ=MONTHLY'],
  ['Every month pay rent tomorrow at 17:00', 'pay rent | 2026-11-26 17:00 | FREQ=MONTHLY'],
  ['Pie 14 march every year', 'Pie | 2027-03-14 | FREQ=YEARLY'],
  ['Grill every 4th of july', 'Grill | 2027-07-04 | FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=4'],
  ['TÜV alle 2 Jahre im März', 'TÜV | 2027-03-01 | FREQ=YEARLY;INTERVAL=2'],
  ['Check-up tous les 2 ans en mars', 'Check-up | 2027-03-01 | FREQ=YEARLY;INTERVAL=2'],
  ['Call Ann friday every 2 weeks at 9', 'Call Ann | 2026-11-27 09:00 | FREQ=WEEKLY;INTERVAL=2'],
  // A time with minutes is as written.
  ['Call Ann at 7:45', 'Call Ann | 2026-11-26 07:45 (tomorrow)'],
  ['Call Ann tomorrow at 2:59', 'Call Ann | 2026-11-26 02:59'],
  ['Call Ann tomorrow at 7', 'Call Ann | 2026-11-26 19:00 (afternoon)'],
  ['Call Ann tomorrow at 7:45 in the evening', 'Call Ann | 2026-11-26 19:45'],
  ['jeden Werktag um 9 Standup', 'Standup | 2026-11-26 09:00 | FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  ['every weekday at 9 Standup', 'Standup | 2026-11-26 09:00 | FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  // Of twelve hours, the next one of today.
  ['Anna anrufen heute um Viertel nach drei', 'Anna anrufen | 2026-11-25 15:15 (afternoon)'],
  ['Anna anrufen heute um drei Uhr', 'Anna anrufen | 2026-11-25 15:00 (afternoon)'],
  ['Anna anrufen heute um 3 Uhr', 'Anna anrufen | 2026-11-25 03:00'],
  ['Appeler Anne aujourd’hui à trois heures et quart', 'Appeler Anne | 2026-11-25 15:15 (afternoon)'],
  // Parts of a day.
  ['Swim in the morning', 'Swim | 2026-11-26 09:00 (tomorrow)'],
  ['Swim tomorrow in the morning', 'Swim | 2026-11-26 09:00'],
  ['Anna am Donnerstag mittags anrufen', 'Anna anrufen | 2026-11-26 12:00'],
  ['Nager demain dans la matinée', 'Nager | 2026-11-26 09:00'],
  // Midnight is the first minute of a day that is named.
  ['Call Ann friday at midnight', 'Call Ann | 2026-11-27 00:00 (midnight)'],
  ['Anna anrufen Freitag um Mitternacht', 'Anna anrufen | 2026-11-27 00:00 (midnight)'],
  ['Appeler Anne vendredi à minuit', 'Appeler Anne | 2026-11-27 00:00 (midnight)'],
  ['Call Ann tonight at midnight', 'Call Ann | 2026-11-26 00:00'],
  ['Call Ann today at midnight', 'Call Ann | 2026-11-26 00:00 (tomorrow)'],
  ['Anna anrufen Freitag um 24 Uhr', 'Anna anrufen | 2026-11-28 00:00'],
  // Days.
  ['Rent on the 15th', 'Rent | 2026-12-15'],
  ['Rent by the 31st', 'Rent | 2026-12-31'],
  ['Miete am 15. zahlen', 'Miete zahlen | 2026-12-15'],
  ['Loyer le 15', 'Loyer | 2026-12-15'],
  ['Clean next weekend', 'Clean | 2026-12-05'],
  ['Putzen nächstes Wochenende', 'Putzen | 2026-12-05'],
  ['Ranger le week-end prochain', 'Ranger | 2026-12-05'],
  ['Rendre le livre dans 15 jours', 'Rendre le livre | 2026-12-09'],
  ['Zahlen in vierzehn Tagen', 'Zahlen | 2026-12-09'],
  // Repeats.
  ['Swim every second Tuesday', 'Swim | 2026-12-01 | FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
  ['Rent 1st of every month', 'Rent | 2026-12-01 | FREQ=MONTHLY;BYMONTHDAY=1'],
  ['Rent every 1st and 15th', 'Rent | 2026-12-01 | FREQ=MONTHLY;BYMONTHDAY=1,15'],
  ['Miete jeden 1. und 15.', 'Miete | 2026-12-01 | FREQ=MONTHLY;BYMONTHDAY=1,15'],
  ['Loyer le 1er et le 15 de chaque mois', 'Loyer | 2026-12-01 | FREQ=MONTHLY;BYMONTHDAY=1,15'],
  ['Water every 3 days after done', 'Water | 2026-11-25 | FREQ=DAILY;INTERVAL=3 done'],
  ['Gießen alle 3 Tage nach dem Erledigen', 'Gießen | 2026-11-25 | FREQ=DAILY;INTERVAL=3 done'],
  ['Arroser tous les 3 jours une fois fait', 'Arroser | 2026-11-25 | FREQ=DAILY;INTERVAL=3 done'],
  ['Swim mon/wed/fri', 'Swim | 2026-11-25 | FREQ=WEEKLY;BYDAY=MO,WE,FR'],
  ['Schwimmen Mo/Mi/Fr um 7', 'Schwimmen | 2026-11-27 07:00 | FREQ=WEEKLY;BYDAY=MO,WE,FR'],
  ['Nager lun/mer/ven', 'Nager | 2026-11-25 | FREQ=WEEKLY;BYDAY=MO,WE,FR'],
  ['Miete jeden Monatsletzten', 'Miete | 2026-11-30 | FREQ=MONTHLY;BYMONTHDAY=-1'],
  ['Rent at the end of every month', 'Rent | 2026-11-30 | FREQ=MONTHLY;BYMONTHDAY=-1'],
  // Their ends.
  ['Bins weekly on tuesday until christmas', 'Bins | 2026-12-01 | FREQ=WEEKLY;BYDAY=TU;UNTIL=20261225'],
  ['Every tuesday water until christmas', 'water | 2026-12-01 | FREQ=WEEKLY;BYDAY=TU;UNTIL=20261225'],
  ['Jeden Dienstag gießen bis Weihnachten', 'gießen | 2026-12-01 | FREQ=WEEKLY;BYDAY=TU;UNTIL=20261225'],
  ['Arroser tous les mardis jusqu’à Noël', 'Arroser | 2026-12-01 | FREQ=WEEKLY;BYDAY=TU;UNTIL=20261225'],
  ['Swim daily until the end of the month', 'Swim | 2026-11-25 | FREQ=DAILY;UNTIL=20261130'],
  // Reminders that depend on the due day and its time.
  ['Call Ann friday 5pm remind me 1 hour before', 'Call Ann | 2026-11-27 17:00 |  | 60m'],
  ['Remind me half an hour before: call Ann friday 5pm', 'call Ann | 2026-11-27 17:00 |  | 30m'],
  ['Rent on the 15th remind me the evening before', 'Rent | 2026-12-15 |  | 1d19:00'],
  ['Rent on the 15th remind me the evening before at 8', 'Rent | 2026-12-15 |  | 1d20:00'],
  ['Rent on the 15th remind me at 18:00 the day before', 'Rent | 2026-12-15 |  | 1d18:00'],
  ['Call Ann friday 5pm remind me 2 days before', 'Call Ann | 2026-11-27 17:00 |  | 2d17:00'],
  [
    'Anna am Freitag um 17 Uhr anrufen, erinnere mich 1 Stunde vorher',
    'Anna anrufen | 2026-11-27 17:00 |  | 60m',
  ],
  ['Miete am 15. zahlen, erinnere mich am Vorabend', 'Miete zahlen | 2026-12-15 |  | 1d19:00'],
  ['Miete am 15. zahlen, erinnere mich am Abend davor', 'Miete zahlen | 2026-12-15 |  | 1d19:00'],
  ['Loyer le 15, rappelle-moi la veille au soir', 'Loyer | 2026-12-15 |  | 1d19:00'],
  ['Appeler Anne vendredi à 17h, rappelle-moi 1 heure avant', 'Appeler Anne | 2026-11-27 17:00 |  | 60m'],
  ['Call Ann remind me at 8 every friday', 'Call Ann | 2026-11-27 | FREQ=WEEKLY;BYDAY=FR | 0d08:00'],
])('“%s” is read as a whole: %s', (text, expected) => {
  expect(said(text)).toBe(expected)
})

// The last four have no day or time on which the reminder depends, or the reminder is over.
test.each(
  phrasesIn(`
    Rent on the 1st and 15th; Miete am 1. und 15.; Loyer le 1er et le 15; Meet on the 15th floor
    Revoir Tous les matins du monde; Swim tomorrow every friday; Tomorrow swim every friday
    Swim every day next week; Swim every tuesday in december; Swim every tuesday until the summer
    Schwimmen jeden Dienstag bis zum Sommer; Nager tous les mardis jusqu’aux vacances
    Pay friday every month; Tonight call Ann at 5am; Swim friday/saturday; Call 15th am morgen sunday
    Call Ann friday remind me 1 hour before; Call Ann remind me the evening before
    Call Ann today remind me the evening before; Call Ann friday 5pm remind me 1 hour before the fair
  `),
)('“%s” says something else, and nothing of it is read', (text) => {
  expect(said(text)).toBe(text)
})

/** Parts of lines with what each says alone. */
const partsOf = {
  English: {
    days: phrasesIn(`
      tomorrow; on friday; on the 15th; 24 dec; in 3 days; next weekend; friday; 2026-12-01
    `),
    times: phrasesIn('at 5pm; at 17:30; at 7:45; at noon; at midnight; in the evening; at 7'),
    repeats: phrasesIn(`
      every week; every month; every friday; daily; every 2 weeks; every second tuesday; mon/wed/fri
      every year until 2030-12-24; every 15th; every 3 days after done
    `),
    reminders: {
      'remind me at 8': '0d08:00',
      'remind me 1 hour before': '60m',
      'remind me the evening before': '1d19:00',
    },
    title: 'call Ann',
  },
  German: {
    days: phrasesIn(`
      übermorgen; am Freitag; am 15.; am 24.12.; in 3 Tagen; nächstes Wochenende; 1. Dezember
    `),
    times: phrasesIn('um 17 Uhr; um 17:30; um 7:45 Uhr; mittags; um Mitternacht; am Abend; um halb sechs'),
    repeats: phrasesIn(`
      jede Woche; jeden Monat; jeden Freitag; täglich; alle 2 Wochen; Mo/Mi/Fr; jedes Jahr bis 24.12.2030
      jeden Monatsletzten; alle 3 Tage nach Erledigung
    `),
    reminders: {
      'erinnere mich um 8': '0d08:00',
      'erinnere mich 1 Stunde vorher': '60m',
      'erinnere mich am Vorabend': '1d19:00',
    },
    title: 'Anna anrufen',
  },
  French: {
    days: phrasesIn(`
      demain; vendredi; le 15; le 24 décembre; dans 3 jours; le week-end prochain; dans 15 jours
    `),
    times: phrasesIn('à 17h; à 17h30; à midi; à minuit; dans la soirée; à trois heures et quart'),
    repeats: phrasesIn(`
      chaque semaine; tous les mois; tous les vendredis; tous les jours; toutes les 2 semaines
      lun/mer/ven; chaque année jusqu’au 24 décembre 2030; tous les 3 jours après achèvement
    `),
    reminders: {
      'rappelle-moi à 8h': '0d08:00',
      'rappelle-moi 1 heure avant': '60m',
      'rappelle-moi la veille au soir': '1d19:00',
    },
    title: 'appeler Anne',
  },
}

test.each(['English', 'German', 'French'] as const)(
  'A %s line with a day, a time, a repeat and a reminder in any order says what each of them says alone, or nothing',
  (language) => {
    const { days, times, repeats, reminders, title } = partsOf[language]
    const line = fc
      .record({
        day: fc.option(fc.constantFrom(...days)),
        time: fc.option(fc.constantFrom(...times)),
        repeat: fc.option(fc.constantFrom(...repeats)),
        reminder: fc.option(fc.constantFrom(...Object.entries(reminders))),
      })
      .chain(({ reminder, ...parts }) => {
        const words = [...Object.values(parts), reminder?.[0]].filter((part) => typeof part === 'string')
        const order = fc.shuffledSubarray([title, ...words], { minLength: words.length + 1 })
        return fc.record({ order, comma: fc.boolean() }).map((how) => ({ ...how, parts, reminder }))
      })
    let whole = 0
    fc.assert(
      fc.property(line, ({ order, comma, parts: { day, time, repeat }, reminder }) => {
        // What follows a reminder directly may be its day.
        const text = order.reduce((text, part, index) => {
          const before = order[index - 1]
          const isAfterReminder = before !== undefined && before in reminders
          return text + (index === 0 ? '' : comma || isAfterReminder ? ', ' : ' ') + part
        }, '')
        const { title: rest, set } = read(text)
        // "Daily" before a noun is no repeat.
        fc.pre(!new RegExp(`(?:daily|täglich) ${title}`).test(text))
        // "Every week on friday" and "every tuesday, on friday" are rules of their own.
        fc.pre(!/(?:weeks?|Wochen?|month|Monat|mois|semaines?),? (?:on|am|le)/.test(text))
        fc.pre(!/(?:day|tag|redis|Fr|fri|ven),? (?:on |am )?(?:fri|Frei|vendre)/.test(text))
        if (Object.keys(set).length === 0) {
          expect(rest).toBe(text)
          return
        }
        whole++
        const alone = (part: string | null | undefined) => (part ? read(`${title} ${part}`).set : {})
        const first = day ?? repeat ?? time
        expect([text, rest, set]).toEqual([
          text,
          title,
          {
            ...(first && { dueDate: day ? alone(day).dueDate : expect.any(String) }),
            ...(time && { dueTime: alone(`${days[0]} ${time}`).dueTime }),
            ...(repeat && { repeat: alone(repeat).repeat, repeatFrom: alone(repeat).repeatFrom }),
            // A time of today that is over is one of tomorrow.
            ...(reminder && {
              reminders: first && set.dueDate !== today ? reminder[1] : expect.any(String),
            }),
          },
        ])
      }),
      { numRuns: 2000 },
    )
    expect(whole).toBeGreaterThan(800)
  },
)
