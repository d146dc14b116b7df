import type { XStatic } from 'typebox/schema'
import type { Calls } from './calls.ts'
import { objectOf } from './fields.ts'

export const themes = ['system', 'light', 'dark'] as const
/** `locale`: as the reader's language has it. */
export const firstDays = ['locale', 'monday', 'saturday', 'sunday'] as const

/** The orders of the list of notes: the newest text first, the newest note first, or by title. */
export const noteOrders = ['changed', 'created', 'title'] as const
export type NoteOrder = (typeof noteOrders)[number]

/** As in `reminder-times.ts`. */
export const defaultReminders = ['0m', '10m', '60m', 'none'] as const

const TimeOrNull = { type: ['string', 'null'], format: 'time' } as const

const properties = {
  theme: { enum: themes },
  firstDay: {
    enum: firstDays,
    description: 'The first day of a week; locale: as the browser’s language has it',
  },
  keys: { type: 'boolean', description: 'Whether single keys act on the dashboard' },
  sidebarCollapsed: { type: 'boolean' },
  noteOrder: { enum: noteOrders, description: 'The order of the list of notes, after pinned ones' },
  defaultReminder: {
    enum: defaultReminders,
    description:
      'The reminder of a task with a time that has no relative one: minutes before its time, or none',
  },
  zone: {
    type: ['string', 'null'],
    format: 'time-zone',
    description:
      'The time zone of reminders; null until a page has named one. Without `zonePinned` in the same change, a pinned zone stays',
  },
  zonePinned: { type: 'boolean', description: 'Whether the zone was chosen by hand' },
  quietFrom: TimeOrNull,
  quietUntil: {
    ...TimeOrNull,
    description: 'Between `quietFrom` and this time, reminders wait; null: at no time',
  },
  reminderTitles: { type: 'boolean', description: 'Whether notifications have the titles of tasks' },
} as const

export const Settings = {
  type: 'object',
  required: [
    ...(['theme', 'firstDay', 'keys', 'sidebarCollapsed', 'noteOrder', 'defaultReminder'] as const),
    ...(['zone', 'zonePinned', 'quietFrom', 'quietUntil', 'reminderTitles'] as const),
  ],
  properties,
} as const
export type Settings = XStatic<typeof Settings>

export const defaultSettings: Settings = {
  theme: 'system',
  firstDay: 'locale',
  keys: true,
  sidebarCollapsed: false,
  noteOrder: 'changed',
  defaultReminder: '0m',
  zone: null,
  zonePinned: false,
  quietFrom: null,
  quietUntil: null,
  reminderTitles: false,
}

export const settingsWith = (chosen: Partial<Settings>): Settings => ({ ...defaultSettings, ...chosen })

/** Settings that are absent keep their values. */
const SettingsChange = {
  ...objectOf({ settings: { type: 'object', additionalProperties: false, properties } }),
  examples: [{ settings: { theme: 'dark' } }],
} as const

const Stored = objectOf({ settings: Settings })

export const settingsEndpoints = {
  'GET /settings': { access: 'read', response: Stored },
  'PATCH /settings': { access: 'account', body: SettingsChange, response: Stored },
} satisfies Calls
