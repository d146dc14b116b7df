import type { XStatic } from 'typebox/schema'
import { accountEndpoints } from './account.ts'
import type { Calls } from './calls.ts'
import { changeEndpoints } from './changes.ts'
import { exportEndpoints } from './exports.ts'
import { importEndpoints } from './imports.ts'
import { noteEndpoints } from './notes.ts'
import { reminderEndpoints } from './reminders.ts'
import { searchEndpoints } from './search.ts'
import { settingsEndpoints } from './settings.ts'
import { taskEndpoints } from './tasks.ts'
import { tokenEndpoints } from './tokens.ts'
import { userEndpoints } from './users.ts'

/** All API calls (specification section 7), keyed by `METHOD /path`, relative to `apiBase`. */
export const api = {
  ...userEndpoints,
  ...accountEndpoints,
  ...tokenEndpoints,
  ...settingsEndpoints,
  ...taskEndpoints,
  ...changeEndpoints,
  ...noteEndpoints,
  ...searchEndpoints,
  ...exportEndpoints,
  ...importEndpoints,
  ...reminderEndpoints,
} satisfies Calls

type Api = typeof api
export type Endpoint = keyof Api

type Part<E extends Endpoint, Name extends string> =
  Api[E] extends Record<Name, infer Schema> ? XStatic<Schema> : undefined

/** The request and response types of a call, for example `Call<'POST /user/login'>['body']`. */
export type Call<E extends Endpoint> = {
  params: Part<E, 'params'>
  query: Part<E, 'query'>
  headers: Part<E, 'headers'>
  body: Part<E, 'body'>
  response: Part<E, 'response'>
}
