import type { Request } from '@playwright/test'
import { apiBase } from '#contract/limits.ts'
import type { Day, RecordedCall } from './day-session.ts'

type Circumstances = { opening: number; browserHeaders: Record<string, string>; today: string }

/** The text of `day.json`: a call a line. Headers that every call has are written once. */
export function recordingOf(requests: Request[], { opening, browserHeaders, today }: Circumstances): string {
  const calls = requests.map((request) => recorded(request, browserHeaders, today))
  const all = calls.map(({ headers }) => headers)
  const isCommon = ([name, value]: [string, string]) => all.every((each) => each[name] === value)
  const headers = Object.fromEntries(Object.entries(all[0] ?? {}).filter(isCommon))
  const lines = calls.map(({ headers, ...call }) => {
    const own = Object.entries(headers).filter((header) => !isCommon(header))
    return JSON.stringify({ ...call, headers: Object.fromEntries(own) })
  })
  const about = `One person's day, recorded from the page by record-day.ts. The first ${opening} calls open the dashboard. day-session.ts replaces the words in braces.`
  const begin = JSON.stringify({ about, opening, headers } satisfies Omit<Day, 'calls'>, undefined, 2)
  return `${begin.slice(0, -2)},\n  "calls": [\n    ${lines.join(',\n    ')}\n  ]\n}\n`
}

function recorded(request: Request, browserHeaders: Record<string, string>, today: string): RecordedCall {
  const { pathname, search } = new URL(request.url())
  const headers = Object.entries({ ...browserHeaders, ...request.headers() })
    .filter(([name]) => !/^(:|host|connection|content-length|referer)/.test(name))
    .map(([name, value]) => [name, generic(value, today)])
  const body = request.postDataJSON()
  for (const change of body?.changes ?? []) blank(change)
  return {
    call: `${request.method()} ${generic(pathname.replace(apiBase, '') + search, today)}`,
    headers: Object.fromEntries(headers),
    ...(body && { body: JSON.parse(generic(JSON.stringify(body), today)) }),
  }
}

type Change = { mutation: string; item: string; kind?: string; base?: number | string; set?: object }

/** Replaces the values that differ between people by words in braces, which `day-session.ts` replaces. */
function blank(change: Change) {
  change.mutation = '{id}'
  if (change.base) change.base = '{version}'
  const isNewTask = change.base === undefined && 'title' in (change.set ?? {})
  if (change.kind === 'note') change.item = change.base === 0 ? '{newNote}' : '{note}'
  else change.item = isNewTask ? '{newTask}' : '{task}'
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

const generic = (text: string, today: string): string =>
  text
    .replace(/^Bearer .*/, 'Bearer {token}')
    .replace(/since=[^&]+/, 'since={cursor}')
    .replace(/changes\/\d+\/undo/, 'changes/{seq}/undo')
    .replace(/^"\d+"$/, '"{version}"')
    .replace(new RegExp(`Task/${uuid}`), 'Task/{task}')
    .replace(new RegExp(`notes/${uuid}`), 'notes/{note}')
    .replace(new RegExp(`^${uuid}$`), (id) => (id[14] === '7' ? '{newTask}' : '{id}'))
    .replace(/\b\d{4}-\d\d-\d\d\b/g, (found) => `{day${Temporal.PlainDate.from(today).until(found).days}}`)
