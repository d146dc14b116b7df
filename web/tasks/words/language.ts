/**
 * The words for days in a language, as sources of regular expressions, which ignore case. `W` stands for a weekday, `M` for a
 * month, `D` for the number of a day, and a space for white space.
 */
export type Language = {
  /** From Monday on. */
  weekdays: string[]
  /** Short names that may be other words: capitalized or with a full stop, and only after a lead or in a date. */
  shortWeekdays?: string[]
  /** From January on. */
  months: string[]
  /** Months that are other words too: a date with them counts only at the end, unless it has a year. */
  monthsThatAreWords?: string
  /** By the number of days from today. */
  days: string[]
  /** Those of the days that are nouns when they are capitalized after the first word, such as "Morgen". */
  nouns?: string
  /** Today, and more than the day, so that the words stay in the title. */
  tonight: string
  /** Follows a day and says more than it: "tomorrow morning". */
  partOfDay: string
  /** A weekday may precede them and a year follow. */
  dates: string[]
  /** Belongs to a date that follows, also to one that begins with a weekday, and leaves the title with it. */
  beforeDate?: string
  within: string
  numbers: Record<string, number>
  units: Record<Unit, string>
  /** These periods count only at the end, or after a lead. So do the weekend, the end of the month, and a weekday alone. */
  next: Partial<Record<Unit, string>>
  weekend: string
  endOfMonth: string
  thisWeekday: string[]
  /** In the next calendar week. */
  nextWeekday: string
  every: string
  /** Belongs to the day that follows, and leaves the title with it: "by". */
  lead: string
  /** The same before a month, which counts only then. */
  monthLead: string
  /** Words after which no day is found: "the sun", "from Monday". */
  phrase: string
  /** Makes a day before it the subject of a sentence: "Today is a gift". */
  verb: string
  conjunction: string
  time: string
}

export type Unit = 'day' | 'week' | 'month' | 'year'
