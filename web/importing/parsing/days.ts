import { isDay } from '#contract/fields.ts'
import { dueDates } from '#contract/limits.ts'
import { dateWordsOf } from '#contract/words/date-words.ts'
import { french } from '#contract/words/french.ts'
import { german } from '#contract/words/german.ts'
import { instantOf, isZone, wallClockOf } from '#contract/zone-clock.ts'
import type { ImportOptions, WallClock } from '../../engine/imported.ts'

const isoPattern =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]\s?(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/i

/** The parts of a text in ISO 8601, if its day and its time exist. */
function isoIn(text: string) {
  const [, year, month, date, hour, minute = '00', second = '00', offset] = isoPattern.exec(text.trim()) ?? []
  const day = `${year}-${month}-${date}`
  const isTime = offset !== undefined || (Number(hour ?? 0) <= 23 && Number(minute) <= 59)
  return isDay(day) && isTime ? { day, hour, minute, second, offset } : undefined
}

/** Returns the instant of an ISO 8601 text, or of one without an offset in this zone. */
export function instantIn(text: string, zone: string): number | undefined {
  const { day, hour = '00', minute, second, offset } = isoIn(text) ?? {}
  if (day === undefined) return undefined
  const time = `${hour}:${minute}:${second}`
  if (offset === undefined) return instantOf(day, time, zone)
  const instant = Date.parse(`${day}T${time}${offset.toUpperCase().replace(/(\d{2})(\d{2})$/, '$1:$2')}`)
  return Number.isNaN(instant) ? undefined : instant
}

const instantAsUtc = ({ day, time }: WallClock) => Date.parse(`${day}T${time ?? '00:00'}Z`)

/** The minutes on the clock from one wall clock to another one. A day without a time begins at midnight. */
export const minutesFrom = (one: WallClock, other: WallClock): number =>
  (instantAsUtc(other) - instantAsUtc(one)) / 60_000

export const daysFrom = (one: string, other: string): number =>
  minutesFrom({ day: one, time: null }, { day: other, time: null }) / 1440

/** Returns the wall clock so many minutes later, or undefined if it has no year of four digits. */
export function minutesLater(from: WallClock, minutes: number): WallClock | undefined {
  const later = new Date(instantAsUtc(from) + minutes * 60_000)
  const [day = '', clock = ''] = Number.isNaN(later.getTime()) ? [] : later.toISOString().split('T')
  return isDay(day) ? { day, time: from.time === null ? null : clock.slice(0, 5) } : undefined
}

export const isInRange = (day: string): boolean => day >= dueDates.min && day <= dueDates.max

/** Returns the instant as it is stored, or null if there is none. Years before 1970 mean that there is none. */
export function storedInstant(instant: number | undefined): string | null {
  if (instant === undefined || !(instant > 0) || instant > Date.parse(dueDates.max)) return null
  return new Date(instant).toISOString()
}

export const storedInstantIn = (text: string, zone = 'UTC') => storedInstant(instantIn(text, zone))

export const clockAt = (instant: string | null, zone: string): WallClock | undefined =>
  instant === null ? undefined : wallClockOf(Date.parse(instant), zone)

/** The reminder of `reminder-times.ts` for a day and a time; none if there is none. */
export const remindersAt = (clock: WallClock | undefined) => (clock ? [`${clock.day}T${clock.time}`] : [])

/** Returns what a text in ISO 8601 says. An instant with an offset becomes a day and a time of the zone. */
export function wallClockIn(text: string, zone: string): WallClock | undefined {
  const { day, hour, minute, offset } = isoIn(text) ?? {}
  if (day === undefined) return undefined
  if (hour === undefined) return { day, time: null }
  if (offset === undefined) return { day, time: `${hour}:${minute}` }
  const instant = instantIn(text, zone)
  return instant === undefined ? undefined : wallClockOf(instant, zone)
}

const numberedPattern = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:,?\s+(.+))?$/
const clockPattern = /^(\d{1,2})[:.h](\d{2})(?:[:.]\d{2})?\s*([ap])?\.?(?:m\.?)?$/i

/** Whether a text is a day such as 3/4/2026, and which of its numbers can be the month. */
export function dayOrderOf(text: string): 'day first' | 'month first' | 'unclear' | undefined {
  const [, first = '', separator, second = ''] = numberedPattern.exec(text.trim()) ?? []
  if (separator === undefined || separator === '.' || first.length > 2 || first === second) return undefined
  if (Number(first) > 12) return 'day first'
  return Number(second) > 12 ? 'month first' : 'unclear'
}

export function isDayFirstIn(language: string): boolean {
  const types = new Intl.DateTimeFormat(language).formatToParts(0).map(({ type }) => type)
  return types.indexOf('day') < types.indexOf('month')
}

/** Returns what a text such as 3/4/2026 9:30 PM says. A day with full stops has its day first. */
export function numberedDay(text: string, isDayFirst: boolean): WallClock | undefined {
  const [, first = '', separator = '', second = '', third = '', rest] =
    numberedPattern.exec(text.trim()) ?? []
  const isYearFirst = first.length === 4
  const isFirst = separator === '.' || isDayFirst
  const [year, month, date] = isYearFirst
    ? [first, second, third]
    : [third.length === 2 ? `20${third}` : third, isFirst ? second : first, isFirst ? first : second]
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  if (!isDay(day)) return undefined
  if (rest === undefined) return { day, time: null }
  const time = clockIn(rest)
  return time === undefined ? undefined : { day, time }
}

/** Returns the time that a text such as `9:30 PM` says, as `HH:MM`. */
export function clockIn(text: string): string | undefined {
  const [, hour, minute = '', half] = clockPattern.exec(text.trim()) ?? []
  if (hour === undefined || Number(minute) > 59) return undefined
  const isAfternoon = half?.toLowerCase() === 'p'
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0)
  return hours > 23 ? undefined : `${String(hours).padStart(2, '0')}:${minute}`
}

const findDates = dateWordsOf([german, french], true)

const longest = 100

const isDateOfYear =
  /^(\p{L}{3,}\.?\s\d{1,2}|\d{1,2}\.?\s(de\s)?\p{L}{3,}\.?)(?=$|\s+(?:at\s+|um\s+|à\s+)?\d{1,2}[:h ])/u

/** Reading words takes a tenth of a millisecond, and the rows of a file have few different ones. */
const read = new Map<string, Said | undefined>()
const mostKept = 1000

type Here = Pick<ImportOptions, 'now' | 'zone'>
type Said = WallClock & { repeat?: string; repeatFrom?: 'due' | 'done' }

/**
 * Returns what the words of another program say about a day, in English, German or French: `17 Aug`, `every! 3 days`. A day without a
 * year is one of this year, even if it is over.
 */
function dayInWords(text: string, { now, zone }: Here): Said | undefined {
  const name = `${now.getTime()} ${zone} ${text}`
  if (read.has(name)) return read.get(name)
  const said = readDay(text, now, zone)
  if (read.size >= mostKept) read.clear()
  read.set(name, said)
  return said
}

function readDay(text: string, now: Date, zone: string): Said | undefined {
  // Todoist has `ev` for `every`, and each Saturday for `every weekend`.
  const words = text
    .trim()
    .replace(/^ev(?:ery)?(?:!\s*|\s+)/i, 'every ')
    .replace(/^every weekend\b/i, 'every saturday')
  if (words === '' || words.length > longest) return undefined
  const here = wallClockOf(now.getTime(), zone)
  const find = (today: string, time: string) => {
    const { days } = findDates(words, { today, time })
    const whole = days.find(({ start, end, also }) => start === 0 && end === words.length && !also)
    return whole && whole.day !== null ? { ...whole, day: whole.day } : undefined
  }
  // Words name days from today on. A day that is over has its year, or is one of this year.
  const past = () => {
    const over = /(?<!\d)\d{4}(?!\d)/.test(words) ? find('1970-01-01', '00:00') : undefined
    return over && words.includes(over.day.slice(0, 4)) ? over : undefined
  }
  const whole = isDateOfYear.test(words)
    ? find(`${here.day.slice(0, 4)}-01-01`, '00:00')
    : (find(here.day, here.time) ?? past())
  if (!whole) return undefined
  const isFromDone = /^ev(?:ery)?!/i.test(text.trim())
  return {
    ...{ day: whole.day, time: whole.time ?? null },
    ...(whole.repeat !== undefined && {
      repeat: whole.repeat,
      repeatFrom: isFromDone ? 'done' : (whole.repeatFrom ?? 'due'),
    }),
  }
}

/** Returns what a text of a table says about a day: in ISO 8601, in numbers or in words. Notion writes `@` before mentioned days. */
export function dayInTable(text: string, here: Here, isDayFirst: boolean): Said | undefined {
  const said = text.trim().replace(/^@/, '')
  return wallClockIn(said, here.zone) ?? numberedDay(said, isDayFirst) ?? dayInWords(said, here)
}

/** Zones by their names in Windows, which end with `Standard Time` there. */
const inWindows = `
Dateline=Etc/GMT+12|UTC-11=Etc/GMT+11|Aleutian=America/Adak|Hawaiian=Pacific/Honolulu|Marquesas=Pacific/Marquesas|Alaskan=America/Anchorage
UTC-09=Etc/GMT+9|Pacific=America/Los_Angeles|Pacific Standard Time (Mexico)=America/Tijuana|UTC-08=Etc/GMT+8|US Mountain=America/Phoenix
Mountain=America/Denver|Mountain Standard Time (Mexico)=America/Mazatlan|Yukon=America/Whitehorse|Central America=America/Guatemala
Central=America/Chicago|Easter Island=Pacific/Easter|Central Standard Time (Mexico)=America/Mexico_City|Canada Central=America/Regina
SA Pacific=America/Bogota|Eastern=America/New_York|Eastern Standard Time (Mexico)=America/Cancun|Haiti=America/Port-au-Prince
Cuba=America/Havana|US Eastern=America/Indiana/Indianapolis|Turks And Caicos=America/Grand_Turk|Paraguay=America/Asuncion
Atlantic=America/Halifax|Venezuela=America/Caracas|Central Brazilian=America/Cuiaba|SA Western=America/La_Paz
Pacific SA=America/Santiago|Newfoundland=America/St_Johns|Tocantins=America/Araguaina|E. South America=America/Sao_Paulo
SA Eastern=America/Cayenne|Argentina=America/Argentina/Buenos_Aires|Montevideo=America/Montevideo|Magallanes=America/Punta_Arenas
Saint Pierre=America/Miquelon|Bahia=America/Bahia|Greenland=America/Godthab|UTC-02=Etc/GMT+2|Azores=Atlantic/Azores
Cape Verde=Atlantic/Cape_Verde|GMT=Europe/London|Greenwich=Atlantic/Reykjavik|Sao Tome=Africa/Sao_Tome|Morocco=Africa/Casablanca
W. Europe=Europe/Berlin|Central Europe=Europe/Budapest|Romance=Europe/Paris|Central European=Europe/Warsaw
W. Central Africa=Africa/Lagos|GTB=Europe/Bucharest|Middle East=Asia/Beirut|Egypt=Africa/Cairo|E. Europe=Europe/Chisinau
West Bank=Asia/Hebron|South Africa=Africa/Johannesburg|FLE=Europe/Kiev|Israel=Asia/Jerusalem|South Sudan=Africa/Juba
Kaliningrad=Europe/Kaliningrad|Sudan=Africa/Khartoum|Libya=Africa/Tripoli|Namibia=Africa/Windhoek|Jordan=Asia/Amman
Arabic=Asia/Baghdad|Syria=Asia/Damascus|Turkey=Europe/Istanbul|Arab=Asia/Riyadh|Belarus=Europe/Minsk|Russian=Europe/Moscow
E. Africa=Africa/Nairobi|Volgograd=Europe/Volgograd|Iran=Asia/Tehran|Arabian=Asia/Dubai|Astrakhan=Europe/Astrakhan
Azerbaijan=Asia/Baku|Russia Time Zone 3=Europe/Samara|Mauritius=Indian/Mauritius|Saratov=Europe/Saratov|Georgian=Asia/Tbilisi
Caucasus=Asia/Yerevan|Afghanistan=Asia/Kabul|West Asia=Asia/Tashkent|Ekaterinburg=Asia/Yekaterinburg|Pakistan=Asia/Karachi
Qyzylorda=Asia/Qyzylorda|India=Asia/Calcutta|Sri Lanka=Asia/Colombo|Nepal=Asia/Katmandu|Central Asia=Asia/Bishkek
Bangladesh=Asia/Dhaka|Omsk=Asia/Omsk|Myanmar=Asia/Rangoon|SE Asia=Asia/Bangkok|Altai=Asia/Barnaul|W. Mongolia=Asia/Hovd
North Asia=Asia/Krasnoyarsk|N. Central Asia=Asia/Novosibirsk|Tomsk=Asia/Tomsk|China=Asia/Shanghai|North Asia East=Asia/Irkutsk
Singapore=Asia/Singapore|W. Australia=Australia/Perth|Taipei=Asia/Taipei|Ulaanbaatar=Asia/Ulaanbaatar
Aus Central W.=Australia/Eucla|Transbaikal=Asia/Chita|Tokyo=Asia/Tokyo|North Korea=Asia/Pyongyang|Korea=Asia/Seoul
Yakutsk=Asia/Yakutsk|Cen. Australia=Australia/Adelaide|AUS Central=Australia/Darwin|E. Australia=Australia/Brisbane
AUS Eastern=Australia/Sydney|West Pacific=Pacific/Port_Moresby|Tasmania=Australia/Hobart|Vladivostok=Asia/Vladivostok
Lord Howe=Australia/Lord_Howe|Bougainville=Pacific/Bougainville|Russia Time Zone 10=Asia/Srednekolymsk|Magadan=Asia/Magadan
Norfolk=Pacific/Norfolk|Sakhalin=Asia/Sakhalin|Central Pacific=Pacific/Guadalcanal|Russia Time Zone 11=Asia/Kamchatka
New Zealand=Pacific/Auckland|UTC+12=Etc/GMT-12|Fiji=Pacific/Fiji|Chatham Islands=Pacific/Chatham|UTC+13=Etc/GMT-13
Tonga=Pacific/Tongatapu|Samoa=Pacific/Apia|Line Islands=Pacific/Kiritimati`

const keyOf = (name: string) => name.replace(/ standard time$/i, '').toLowerCase()

export const windowsZones = new Map(
  inWindows
    .trim()
    .split(/[|\n]/)
    .map((pair) => pair.split('=') as [string, string])
    .map(([name, zone]) => [keyOf(name), zone]),
)

/**
 * Returns the time zone that a name of another program means, if it is known. A name may have a prefix of the program that wrote it:
 * `/freeassociation.sourceforge.net/Europe/Berlin`.
 */
export function zoneNamed(name: string): string | undefined {
  const parts = name.slice(-200).split('/')
  return [name, ...[3, 2].map((count) => parts.slice(-count).join('/')), windowsZones.get(keyOf(name))].find(
    (zone) => zone !== undefined && isZone(zone),
  )
}
