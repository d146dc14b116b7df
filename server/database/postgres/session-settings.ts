import pg from 'pg'
import { codeOf } from './errors.ts'

/** Values of PostgreSQL's settings, in the units of `pg_settings`. */
export type Settings = Record<string, string>

/**
 * Returns the URL whose connections have the settings. This is the given URL with the settings as startup options. Behind a
 * connection pooler that does not pass startup options on, it is the given URL alone, if its role has the settings. Returns
 * undefined if neither URL has them.
 */
export async function urlWithSettings(
  url: URL,
  settings: Settings,
  connectTimeout: number,
): Promise<URL | undefined> {
  for (const candidate of [withOptions(url, settings), url])
    if (await hasSettings(candidate, settings, connectTimeout)) return candidate
}

function withOptions(url: URL, settings: Settings): URL {
  const copy = new URL(url)
  const options = Object.entries(settings).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`,
  )
  copy.searchParams.set('options', [url.searchParams.get('options') ?? '', ...options].join(' ').trim())
  return copy
}

async function hasSettings(url: URL, settings: Settings, connectTimeout: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: connectTimeout })
  // Without this listener, an error of the idle connection would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ name: string; setting: string }>(
      'select name, setting from pg_settings where name = any($1)',
      [Object.keys(settings)],
    )
    return (
      rows.filter(({ name, setting }) => settings[name] === setting).length === Object.keys(settings).length
    )
  } catch (error) {
    // PgBouncer rejects startup options with the code of a protocol violation.
    if (codeOf(error) === '08P01') return false
    throw error
  } finally {
    await client.end()
  }
}
