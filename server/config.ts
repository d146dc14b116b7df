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
  rejectMisspelt,
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

const publicUrl: Kind<URL> = {
  expected: 'an https address without a path, such as https://tasks.example.org',
  read(text) {
    const url = URL.parse(text)
    return url?.protocol === 'https:' && url.href === `${url.origin}/` ? url : undefined
  },
}

const email: Kind<string> = {
  expected: 'an email address, such as admin@example.org',
  read: (text) => (/^[^\s@]+@[^\s@]+$/.test(text) ? text : undefined),
}

/** All configuration variables. A test compares the table in docs/operating.md with this one. */
export const variables = {
  HOST: { kind: text, default: '127.0.0.1', example: '0.0.0.0' },
  PORT: { kind: wholeNumber(0, 65_535), default: '3000', example: '8080' },
  DATABASE_URL: {
    kind: databaseUrlKind,
    default: 'file:data/daymark.sqlite',
    example: 'postgres://daymark:secret@db/daymark',
    secret: true,
  },
  DATABASE_URL_FILE: { kind: text, example: '/run/secrets/database-url' },
  MIGRATE: { kind: onOrOff, default: 'on', example: 'off' },
  POSTGRES_CONNECTIONS: { kind: wholeNumber(1, 1000), default: '20', example: '50' },
  POSTGRES_STATEMENT_SECONDS: { kind: wholeNumber(1, 60), default: '2', example: '5' },
  POSTGRES_PREPARED: { kind: onOrOff, default: 'off', example: 'on' },
  LIST_CACHE_SIZE: { kind: size, default: '32MiB', example: '256MiB' },
  LOG_LEVEL: { kind: oneOf('silent', 'error', 'warn', 'info', 'debug'), default: 'warn', example: 'info' },
  REGISTRATION: { kind: oneOf('open', 'closed', 'first-user'), default: 'open', example: 'first-user' },
  SESSION_IDLE_DAYS: { kind: wholeNumber(1, 3650), default: '90', example: '30' },
  SESSION_MAX_DAYS: { kind: wholeNumber(1, 3650), default: '365', example: '180' },
  ACCOUNT_QUOTA: { kind: size, default: '1GiB', example: '100MiB' },
  API_RATE_LIMIT: { kind: rate, example: '300/10s' },
  SIGNUP_RATE_LIMIT: { kind: rate, default: '5000/1h', example: '5/1h' },
  STREAMS: { kind: wholeNumber(1, 100_000), default: '6000', example: '10000' },
  STREAMS_PER_NETWORK: { kind: wholeNumber(1, 100_000), example: '500' },
  STREAMS_PER_USER: { kind: wholeNumber(1, 1000), default: '20', example: '50' },
  OFFICE_NETWORKS: { kind: networks, example: '203.0.113.7, 2001:db8:7::/48' },
  TRUSTED_PROXIES: { kind: networks, example: '127.0.0.1, 10.0.0.0/8' },
  DRAIN: { kind: wholeNumber(0, 60), example: '10' },
  ALLOWED_HOSTS: { kind: hosts, example: 'tasks.example.org, [::1]' },
  HSTS: { kind: onOrOff, default: 'off', example: 'on' },
  OFFLINE: { kind: onOrOff, default: 'on', example: 'off' },
  PUBLIC_URL: { kind: publicUrl, example: 'https://tasks.example.org' },
  CONTACT: { kind: email, example: 'admin@example.org' },
  PUSH_HOSTS: { kind: hosts, example: 'push.example.org' },
  METRICS_PORT: { kind: wholeNumber(0, 65_535), example: '9100' },
  BACKUP_DIR: { kind: text, example: '/var/lib/daymark/backups' },
  BACKUP_EVERY: { kind: duration, default: '24h', example: '6h' },
  BACKUP_KEEP: { kind: wholeNumber(1, 10_000), default: '7', example: '28' },
} satisfies Record<string, Variable>

export type Config = ReturnType<typeof readConfig>

/** The address at which a server on this port is opened on its own machine. */
export function localAddress(host: string, port: number): string {
  const name = host === '127.0.0.1' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

export function readConfig(environment: Record<string, string | undefined>) {
  rejectMisspelt(variables, environment)
  const given = readVariables(variables, withSecretFromFile(environment, 'DATABASE_URL'))
  return {
    host: given.HOST,
    port: given.PORT,
    metricsPort: given.METRICS_PORT,
    databaseUrl: given.DATABASE_URL,
    /** How the database is opened. All but `migrate` concern only PostgreSQL. */
    database: {
      migrate: given.MIGRATE,
      /** Whether migrations that exclude servers of the previous version are applied. On SQLite they always are. */
      contract: false,
      connections: given.POSTGRES_CONNECTIONS,
      statementSeconds: given.POSTGRES_STATEMENT_SECONDS,
      /** In milliseconds. With the default limit of statements, each response takes at most five seconds while the server is unreachable. */
      connectTimeout: 2500,
      prepared: given.POSTGRES_PREPARED,
    },
    listCacheSize: given.LIST_CACHE_SIZE,
    logLevel: given.LOG_LEVEL,
    registration: given.REGISTRATION,
    sessionDays: { idle: given.SESSION_IDLE_DAYS, max: given.SESSION_MAX_DAYS },
    accountQuota: given.ACCOUNT_QUOTA,
    apiRate: given.API_RATE_LIMIT,
    signupRate: given.SIGNUP_RATE_LIMIT,
    streams: {
      max: given.STREAMS,
      perNetwork: given.STREAMS_PER_NETWORK,
      perUser: given.STREAMS_PER_USER,
    },
    officeNetworks: given.OFFICE_NETWORKS ?? [],
    trustedProxies: given.TRUSTED_PROXIES ?? [],
    drain: given.DRAIN ?? (given.TRUSTED_PROXIES?.length ? 5 : 0),
    allowedHosts: given.ALLOWED_HOSTS ?? [],
    hsts: given.HSTS,
    offline: given.OFFLINE,
    publicUrl: given.PUBLIC_URL,
    contact: given.CONTACT,
    pushHosts: given.PUSH_HOSTS ?? [],
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
