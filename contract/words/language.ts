/**
 * The words for days in a language, as sources of regular expressions, which ignore case. `{weekday}`, `{month}`, `{date}` and the
 * other names in braces stand for the `slots` of `day-rules.ts`, and a space for white space.
 */
export type Language = {
  /** From Monday on. */
  weekdays: string[]
  /** Short names that may be other words: they count with a capital letter or a full stop, after a lead or in a date. */
  shortWeekdays?: string[]
  /** From January on. */
  months: string[]
  /** Months that are other words too. A date with such a month counts only at the end, unless it has a year. */
  monthsThatAreWords?: string
  /** By the number of days from today. */
  days: Record<number, string>
  /** The words for days that are nouns if they are capitalized after the first word, such as "Morgen". */
  nouns?: string
  /** Words of today in the evening. */
  tonight?: string
  /** Mean that there is no day. They count at the end only. */
  someday: string
  clock: Clock
  repeats: Repeats
  /** A weekday may precede them and a year follow. */
  dates: string[]
  /** A weekday with a day of the month. */
  datedWeekday: string
  /** A day of the month alone: it counts after a lead. */
  numberedDay: string
  /** Precedes a date with a weekday, an ordinal or a number. */
  article: string
  within: string
  numbers: Record<string, number>
  /** Numbers that are not exact, or that mean another one before a unit. */
  vagueNumbers: string
  units: Record<Unit, string>
  /** After or before a day, by the number of weeks that are added: "monday week". */
  weeksOn: string[]
  /** By the number of units from this one. */
  periods: Record<'week' | 'month' | 'year', string[]>
  weekend: string
  /** That of the next calendar week. */
  nextWeekend: string
  /** Before a month. */
  endOf: string
  endOfThisMonth: string
  thisWeekday: string
  /** Not today. */
  comingWeekday: string
  /** In the next calendar week. */
  nextWeekday: string
  /** The last, the first, the second, and so on: before a weekday of a month. */
  nth: string[]
  /** Belongs to the day that follows, and leaves the title with it: "by". */
  lead: string
  /** The same before a month alone, which counts only then. */
  monthLead: string
  /** The same before the number of a day. */
  dateLead?: string
  /** Between two parts of one day: "friday of next week". */
  glue: string
  /** Connects what is before it with what follows: "or", "until". Glue and leads do so too. */
  joints: string
  /** Belongs to what follows: "the sun", "for Monday". No day is found after it. */
  openers: string
  /** Changes the day next to it: "last". */
  qualifiers: string
  /** Changes a week or a month next to it, but no day: "early". */
  vague: string
  /** Makes a day before it something else: "Today is a gift", "friday or never". */
  never: string
  /** Counts from a weekday or a distance before it: "on friday after the fair". */
  anchors: string
  /** Precedes a time at which to remind: "remind me". */
  reminds: string
  /** Follows how long before the due time to remind: "1 hour before". */
  before: string
  /** The day before the due day, without and with a `part` of it. */
  dayBefore: string[]
  /** Follows that time, and leaves the title with it: "remind me at 8 to call Ann". */
  remindsTo?: string
}

/** The words for times of day. `{hour}` is an hour in digits, `{spokenHour}` one in digits or words. */
type Clock = {
  /** Precedes a time and leaves the title with it: "at". */
  at: string
  /** The words of `at` that make a number after them an hour. */
  beforeHour: string
  /** Whether `at` may join two numbers: "9 à 17h". */
  isJoint?: boolean
  /** Whether an hour from 1 to 7 without minutes is one of the afternoon, unless more is said. */
  hasTwelveHours?: boolean
  /** From one to twelve. */
  hours: string[]
  /** Are a time wherever they are. */
  plain: string[]
  /** Are a time after `at`. */
  led: string[]
  /** Are a time next to a day. Alone they are only offered. */
  loose: string[]
  /** The two halves of a day, after an hour. */
  halves?: Record<'am' | 'pm', string>
  noon: string
  midnight: string
  /** By the number of minutes that are added to the hour: "half past three". */
  spoken: Record<number, string>
  /** Follow a day, by their hour. Those at 0 have none, and stay in the title. */
  partsOfDay: Record<number, string>
  /** Follow a time or a day, by the hour of that part of the day. */
  partsOfTime: Record<number, string>
  /** Are a time at the end of a line, by their hour: "in the evening". */
  partsAlone: Record<number, string>
  /** By their minutes: "hours". */
  units: Record<number, string>
  /** The same without a number: "half an hour". */
  durations: Record<number, string>
  /** May follow an hour that is a number: "at 5 with Ann". */
  followers: string
  /** Follows a number of things: "at 3 houses". */
  counted?: string
}

/**
 * The words for repeats, each with a rule of RFC 5545. In the rule, `{freq}`, `{count}`, `{nth}`, `{list}`, `{dates}` and `{month}`
 * stand for what the words name.
 */
export type Repeats = {
  every: string
  phrases: [source: string, rule: string][]
  /** The same for those that may be adjectives: they count at the end of a line only. */
  adjectives: [source: string, rule: string][]
  /** Follows the number of a day in a list: "1st and 15th". */
  ordinal: string
  /** Precedes the last day. */
  until: string
  /** Name such a day, by its month and date. */
  feasts: Record<string, string>
  /** Precedes the first day. */
  from: string
  /** How often. */
  times: string
  /** For how long. */
  lasting: string
  /** Follows a rule that counts from the completion. "Every!" says it before. */
  afterCompletion?: string
}

export const units = ['day', 'week', 'month', 'year'] as const
export type Unit = (typeof units)[number]
