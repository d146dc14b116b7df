import { timeOfDay } from '#contract/fields.ts'

// The formats as patterns that other programs understand. They match no value that the server rejects, and of the values that it accepts
// leave out spellings that nobody needs, such as `+01`. Character classes do not differ between programs.

const year = '(?:19[7-9][0-9]|2[01][0-9]{2}|2200)'
const leapYear =
  '(?:19(?:7[26]|8[048]|9[26])|20(?:[02468][048]|[13579][26])|21(?:0[48]|[2468][048]|[13579][26]))'
const dateWith = (between: string) =>
  `(?:(?:0[13578]|1[02])${between}(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)${between}(?:0[1-9]|[12][0-9]|30)|02${between}(?:0[1-9]|1[0-9]|2[0-8]))`
const anyLeapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'
const anyDay = `(?:[0-9]{4}-${dateWith('-')}|${anyLeapYear}-02-29)`
const time = '(?:[01][0-9]|2[0-3]):[0-5][0-9]'
const upTo1000 = '(?:[1-9][0-9]{0,2}|1000)'

const listOf = (value: string) => `${value}(?:,${value})*`

/** The parts of a rule of `contract/repeat-rules.ts`. */
const parts = [
  'FREQ=(?:DAILY|WEEKLY|MONTHLY|YEARLY)',
  `INTERVAL=${upTo1000}`,
  `BYMONTH=${listOf('(?:[1-9]|1[0-2])')}`,
  `BYMONTHDAY=${listOf('-?(?:[1-9]|[12][0-9]|3[01])')}`,
  `BYDAY=${listOf('(?:-?(?:[1-9]|[1-4][0-9]|5[0-3]))?(?:MO|TU|WE|TH|FR|SA|SU)')}`,
  'BYSETPOS=-?1',
  `COUNT=${upTo1000}`,
  `UNTIL=(?:${year}${dateWith('')}|${leapYear}0229)`,
  'WKST=(?:MO|TU|WE|TH|FR|SA|SU)',
]

/** What no rule has, and what every rule has. */
const conditions = [
  // A part twice, or a value twice in a list.
  '(?!(?:.*;)?([A-Z]+)=.*;\\1=)',
  '(?!.*[=,]([^=,;]+),(?:[^=;]*,)?\\2(?:[,;]|$))',
  '(?=(?:.*;)?FREQ=)',
  '(?!(?=.*FREQ=WEEKLY).*BYMONTHDAY=)',
  '(?!(?=.*(?:FREQ=DAILY|FREQ=WEEKLY|BYMONTHDAY=)).*BYDAY=[^;]*[0-9])',
  '(?!(?=.*BYSETPOS=)(?!.*(?:BYMONTH|BYMONTHDAY|BYDAY)=))',
  '(?!(?=.*COUNT=).*UNTIL=)',
]
const part = `(?:${parts.join('|')})`

/** Forms of `contract/reminder-times.ts`. */
const relative = `(?:(?:[0-9]{1,4}|0[0-9]{4}|100[0-7][0-9]|10080)m|(?:[0-5]?[0-9]|60)d${time})`
const atTime = `${anyDay}T${time}`
const counted = `(?:${relative}|${atTime})`

export const patterns: Record<string, string> = {
  text: '^[^\\u0000]*$',
  name: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
  email: '^[^\\s\\u0000@]+@[^\\s\\u0000@]+$',
  day: `^(?:${year}-${dateWith('-')}|${leapYear}-02-29)$`,
  time: timeOfDay.source,
  repeat: `^${conditions.join('')}${part}(?:;${part})*$`,
  reminders: `^(?!(?:.* )?([^ ]+) (?:.* )?\\1(?: |$))(?!(?:${relative} ){3}${relative}$)(?:${counted}(?: ${counted}){0,3}|(?:${atTime} ){0,4}none(?: ${atTime}){0,4})$`,
  uuid: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  version: '^(?:"[0-9]{1,15}"|[0-9]{1,15})$',
}
