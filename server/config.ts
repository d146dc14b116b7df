import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Everything the server can be told from outside. This file alone reads the environment. */
export type Config = {
  host: string
  port: number
  databaseUrl: URL
}

/** A variable whose value cannot be used. The start stops with this one line. */
export class ConfigError extends Error {}

type Environment = Record<string, string | undefined>

/** Reads the environment, or throws a ConfigError that names the variable and says what would be right. */
export function readConfig(environment: Environment): Config {
  return {
    host: environment.HOST || '127.0.0.1',
    port: wholeNumber(environment, 'PORT', { default: 3000, min: 0, max: 65_535 }),
    databaseUrl: databaseUrl(environment.DATABASE_URL || 'file:data/daymark.sqlite'),
  }
}

function wholeNumber(
  environment: Environment,
  name: string,
  range: { default: number; min: number; max: number },
) {
  const text = environment[name]
  if (!text) return range.default
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < range.min || value > range.max) {
    throw new ConfigError(`${name} must be a whole number from ${range.min} to ${range.max}, not "${text}"`)
  }
  return value
}

/** `file:PATH` (relative to the working directory) or `postgres://…`. Errors never repeat the value: it may hold a password. */
function databaseUrl(text: string): URL {
  const wrong = new ConfigError(
    'DATABASE_URL must be file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  )
  if (text.startsWith('file:')) {
    const path = text.slice('file:'.length)
    if (!path || path.endsWith('/')) throw wrong
    return path.startsWith('//') ? parse(text, wrong) : pathToFileURL(resolve(path))
  }
  const url = parse(text, wrong)
  if (!['postgres:', 'postgresql:'].includes(url.protocol) || !url.hostname) throw wrong
  return url
}

function parse(text: string, otherwise: ConfigError): URL {
  const url = URL.parse(text)
  if (!url) throw otherwise
  return url
}
