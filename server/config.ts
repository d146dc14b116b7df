import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConfigError, type Rate, readerOf } from './environment.ts'

/** Everything the server can be told from outside; `docs/operating.md` says what each variable is for. */
export type Config = {
  host: string
  port: number
  /** Where Prometheus finds the metrics; nowhere unless set. */
  metricsPort: number | undefined
  databaseUrl: URL
  logLevel: (typeof logLevels)[number]
  registration: (typeof registrations)[number]
  sessionDays: { idle: number; most: number }
  /** Bytes of titles and bodies that one account may store. */
  accountQuota: number
  apiRate: Rate | undefined
  signupRate: Rate | undefined
  /** Networks whose forwarding headers are believed. */
  trustedProxies: string[]
  /** Whether browsers are told to come by HTTPS only. */
  hsts: boolean
  backup: { folder: string; everySeconds: number; keep: number } | undefined
}

const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const
const registrations = ['open', 'closed', 'first-user'] as const

/** Reads the environment, or throws a ConfigError. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const { text, wholeNumber, oneOf, rate, duration, bytes, networks, secret } = readerOf(environment)
  const folder = text('BACKUP_DIR')
  return {
    host: text('HOST') ?? '127.0.0.1',
    port: wholeNumber('PORT', 0, 65_535) ?? 3000,
    metricsPort: wholeNumber('METRICS_PORT', 0, 65_535),
    databaseUrl: databaseUrl(secret('DATABASE_URL') ?? 'file:data/daymark.sqlite'),
    logLevel: oneOf('LOG_LEVEL', logLevels, 'warn'),
    registration: oneOf('REGISTRATION', registrations, 'open'),
    sessionDays: {
      idle: wholeNumber('SESSION_IDLE_DAYS', 1, 3650) ?? 7,
      most: wholeNumber('SESSION_MAX_DAYS', 1, 3650) ?? 30,
    },
    accountQuota: bytes('ACCOUNT_QUOTA') ?? 2 ** 30,
    apiRate: rate('API_RATE_LIMIT'),
    signupRate: rate('SIGNUP_RATE_LIMIT'),
    trustedProxies: networks('TRUSTED_PROXIES'),
    hsts: oneOf('HSTS', ['off', 'on'], 'off') === 'on',
    backup: folder
      ? {
          folder,
          everySeconds: duration('BACKUP_EVERY') ?? 86_400,
          keep: wholeNumber('BACKUP_KEEP', 1, 10_000) ?? 7,
        }
      : undefined,
  }
}

/**
 * `file:PATH` (relative to the working directory) or `postgres://…`, as the commands take them too.
 * The error never repeats the value: it may hold a password.
 */
export function databaseUrl(text: string, name = 'DATABASE_URL'): URL {
  const wrong = new ConfigError(`${name} must be file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE`)
  if (text.startsWith('file:')) {
    const path = text.slice('file:'.length)
    if (!path || path.endsWith('/')) throw wrong
    const url = path.startsWith('//') ? parse(text, wrong) : pathToFileURL(resolve(path))
    if (url.host) throw wrong
    return url
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
