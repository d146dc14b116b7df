import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  ConfigError,
  duration,
  hosts,
  type Kind,
  networks,
  oneOf,
  onOrOff,
  rate,
  readVariables,
  size,
  text,
  type Variable,
  wholeNumber,
  withSecretFromFile,
} from './environment.ts'

const databaseUrlKind: Kind<URL> = {
  expected: 'file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  read: readDatabaseUrl,
}

/** All configuration variables. A test compares the table in docs/operating.md with this one. */
export const variables = {
  HOST: {
    kind: text,
    default: '127.0.0.1',
    about:
      'the address to listen on; the default is reached from this machine alone (in the image: `0.0.0.0`)',
    example: '0.0.0.0',
  },
  PORT: { kind: wholeNumber(0, 65_535), default: '3000', about: 'the port to listen on', example: '8080' },
  DATABASE_URL: {
    kind: databaseUrlKind,
    default: 'file:data/daymark.sqlite',
    about: 'where the data is: `file:PATH`, relative to the working directory, or `postgres://…`',
    example: 'postgres://daymark:secret@db/daymark',
    secret: true,
  },
  DATABASE_URL_FILE: {
    kind: text,
    about: 'a file that holds the value of `DATABASE_URL`, in place of it',
    example: '/run/secrets/database-url',
  },
  LOG_LEVEL: {
    kind: oneOf('silent', 'error', 'warn', 'info', 'debug'),
    default: 'warn',
    about: '`silent`, `error`, `warn`, `info` or `debug`; [what each of them logs](#monitoring)',
    example: 'info',
  },
  REGISTRATION: {
    kind: oneOf('open', 'closed', 'first-user'),
    default: 'open',
    about:
      'who may sign up: `open` everybody, `closed` nobody, `first-user` the first user alone, who signs up [at a loopback name](#the-first-user) where only this machine reaches the server',
    example: 'first-user',
  },
  SESSION_IDLE_DAYS: {
    kind: wholeNumber(1, 3650),
    default: '7',
    about: 'days after which a session that is not used ends',
    example: '2',
  },
  SESSION_MAX_DAYS: {
    kind: wholeNumber(1, 3650),
    default: '30',
    about: 'days after which every session ends',
    example: '90',
  },
  ACCOUNT_QUOTA: {
    kind: size,
    default: '1GiB',
    about:
      'bytes of titles and bodies that one account may store; an account that already stores more can still delete and shorten',
    example: '100MiB',
  },
  API_RATE_LIMIT: {
    kind: rate,
    about:
      'calls that one user, or one address without a valid token, may make in a time, to each process; rejected calls count',
    example: '300/10s',
  },
  SIGNUP_RATE_LIMIT: {
    kind: rate,
    about: 'sign-ups from one address in a time, to all processes together',
    example: '5/1h',
  },
  TRUSTED_PROXIES: {
    kind: networks,
    about: 'networks of the proxies whose `X-Forwarded-*` headers are believed, split by commas',
    example: '127.0.0.1, 10.0.0.0/8',
  },
  ALLOWED_HOSTS: {
    kind: hosts,
    about:
      'host names that requests may be for, without ports, split by commas; without it any; [what else is answered 421](#behind-a-proxy)',
    example: 'tasks.example.org, [::1]',
  },
  HSTS: {
    kind: onOrOff,
    default: 'off',
    about: '`on` tells browsers to use HTTPS only, for a year; for a host that will keep its certificate',
    example: 'on',
  },
  METRICS_PORT: {
    kind: wholeNumber(0, 65_535),
    about: 'a port for Prometheus, on `HOST` too; without it nothing is measured',
    example: '9100',
  },
  BACKUP_DIR: {
    kind: text,
    about: 'the folder for scheduled backups of an SQLite database; without it there are none',
    example: '/var/lib/daymark/backups',
  },
  BACKUP_EVERY: {
    kind: duration,
    default: '24h',
    about: 'how often: a number and `s`, `m`, `h` or `d`',
    example: '6h',
  },
  BACKUP_KEEP: {
    kind: wholeNumber(1, 10_000),
    default: '7',
    about: 'how many of them are kept',
    example: '28',
  },
} satisfies Record<string, Variable>

export type Config = ReturnType<typeof readConfig>

/** Reads the configuration from environment variables. Throws a ConfigError for the first invalid one. */
export function readConfig(environment: Record<string, string | undefined>) {
  const given = readVariables(variables, withSecretFromFile(environment, 'DATABASE_URL'))
  return {
    host: given.HOST,
    port: given.PORT,
    /** Undefined: no metrics. */
    metricsPort: given.METRICS_PORT,
    databaseUrl: given.DATABASE_URL,
    logLevel: given.LOG_LEVEL,
    registration: given.REGISTRATION,
    sessionDays: { idle: given.SESSION_IDLE_DAYS, max: given.SESSION_MAX_DAYS },
    /** Bytes of titles and bodies that one account may store. */
    accountQuota: given.ACCOUNT_QUOTA,
    apiRate: given.API_RATE_LIMIT,
    signupRate: given.SIGNUP_RATE_LIMIT,
    /** Proxy networks whose `X-Forwarded-*` headers are trusted. */
    trustedProxies: given.TRUSTED_PROXIES ?? [],
    /** The host names that requests may be for. If it is empty, all are accepted. */
    allowedHosts: given.ALLOWED_HOSTS ?? [],
    /** Whether responses have a Strict-Transport-Security header. */
    hsts: given.HSTS,
    backup:
      given.BACKUP_DIR === undefined
        ? undefined
        : { folder: given.BACKUP_DIR, everySeconds: given.BACKUP_EVERY, keep: given.BACKUP_KEEP },
  }
}

/** Parses a database URL from a command-line option. The ConfigError omits the value, which may contain a password. */
export function databaseUrl(text: string, option: string): URL {
  const url = readDatabaseUrl(text)
  if (!url) throw new ConfigError(`${option} must be ${databaseUrlKind.expected}`)
  return url
}

function readDatabaseUrl(text: string): URL | undefined {
  if (text.startsWith('file:')) {
    const path = text.slice('file:'.length)
    if (!path || path.endsWith('/')) return undefined
    const url = path.startsWith('//') ? URL.parse(text) : pathToFileURL(resolve(path))
    return url?.host ? undefined : (url ?? undefined)
  }
  const url = URL.parse(text)
  return url && ['postgres:', 'postgresql:'].includes(url.protocol) && url.hostname ? url : undefined
}
