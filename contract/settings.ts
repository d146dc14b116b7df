import type { XStatic } from 'typebox/schema'
import type { Calls } from './calls.ts'

export const themes = ['system', 'light', 'dark'] as const
/** `locale`: as the reader's language has it. */
export const firstDays = ['locale', 'monday', 'saturday', 'sunday'] as const

const properties = {
  theme: { enum: themes },
  firstDay: {
    enum: firstDays,
    description: 'The first day of a week; locale: as the browser’s language has it',
  },
  keys: { type: 'boolean', description: 'Whether single keys act on the dashboard' },
  sidebarCollapsed: { type: 'boolean' },
} as const

/** The choices of a user that every device follows. */
export const Settings = {
  type: 'object',
  required: ['theme', 'firstDay', 'keys', 'sidebarCollapsed'],
  properties,
} as const
export type Settings = XStatic<typeof Settings>

export const defaultSettings: Settings = {
  theme: 'system',
  firstDay: 'locale',
  keys: true,
  sidebarCollapsed: false,
}

/** Settings that are absent keep their values. */
const SettingsChange = {
  type: 'object',
  required: ['settings'],
  properties: { settings: { type: 'object', additionalProperties: false, properties } },
  examples: [{ settings: { theme: 'dark' } }],
} as const

const Stored = { type: 'object', required: ['settings'], properties: { settings: Settings } } as const

export const settingsEndpoints = {
  'GET /settings': { access: 'read', response: Stored },
  'PATCH /settings': { access: 'account', body: SettingsChange, response: Stored },
} satisfies Calls
