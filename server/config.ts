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
  HOST: {
    kind: text,
    default: '127.0.0.1',
    about:
      'the address to listen on; the default is reachable only from this machine (in the image: `0.0.0.0`)',
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
    about: 'a file that contains the value of `DATABASE_URL`, as an alternative to it',
    example: '/run/secrets/database-url',
  },
  MIGRATE: {
    kind: onOrOff,
    default: 'on',
    about:
      '`off`: the server does not change the schema, and does not start if the schema is not its own; [`npm run migrate`](#schema-changes) changes it',
    example: 'off',
  },
  POSTGRES_CONNECTIONS: {
    kind: wholeNumber(1, 1000),
    default: '20',
    about:
      'maximum number of connections to PostgreSQL, per process; an eighth of them, rounded down, is only for addresses that use none',
    example: '50',
  },
  POSTGRES_STATEMENT_SECONDS: {
    kind: wholeNumber(1, 60),
    default: '2',
    about:
      'seconds after which PostgreSQL cancels a statement; [with a connection pooler](#connection-poolers)',
    example: '5',
  },
  POSTGRES_PREPARED: {
    kind: onOrOff,
    default: 'off',
    about:
      '`on` parses and plans statements once per connection and not at each call; [with a connection pooler](#connection-poolers)',
    example: 'on',
  },
  LIST_CACHE_SIZE: {
    kind: size,
    default: '32MiB',
    about: 'maximum memory for cached list responses, per process',
    example: '256MiB',
  },
  LOG_LEVEL: {
    kind: oneOf('silent', 'error', 'warn', 'info', 'debug'),
    default: 'warn',
    about: '`silent`, `error`, `warn`, `info` or `debug`; [what each level logs](#monitoring)',
    example: 'info',
  },
  REGISTRATION: {
    kind: oneOf('open', 'closed', 'first-user'),
    default: 'open',
    about:
      'who can sign up: `open` everyone, `closed` no one, `first-user` only the first user, [at a loopback name](#the-first-user) if the server is reachable only from this machine',
    example: 'first-user',
  },
  SESSION_IDLE_DAYS: {
    kind: wholeNumber(1, 3650),
    default: '90',
    about: 'days without use after which a session ends',
    example: '30',
  },
  SESSION_MAX_DAYS: {
    kind: wholeNumber(1, 3650),
    default: '365',
    about: 'days after which every session ends',
    example: '180',
  },
  ACCOUNT_QUOTA: {
    kind: size,
    default: '1GiB',
    about:
      'maximum size of the tasks and notes of one account, including deleted ones, changes (256 bytes each) and old values, which are kept for 30 days, and earlier texts of notes, which are thinned out to one a day; an account above it can still delete, undo and shorten them. The disk needs about twice as much, because texts are stored for the search too',
    example: '100MiB',
  },
  API_RATE_LIMIT: {
    kind: rate,
    about:
      'maximum number of calls of one user, or of one address without a valid token, in a time, per process; rejected calls count. The tokens of a user for other programs have half of it together, and their calls above that do not count for the user',
    example: '300/10s',
  },
  SIGNUP_RATE_LIMIT: {
    kind: rate,
    default: '5000/1h',
    about:
      'maximum number of sign-ups from one address in a time, for all processes together; the default is more than an office needs, and limits how many accounts a program can open',
    example: '5/1h',
  },
  STREAMS: {
    kind: wholeNumber(1, 100_000),
    default: '6000',
    about:
      'maximum number of open streams of changes, per process: one per browser with an open page; each takes about 48 kB and a file descriptor',
    example: '10000',
  },
  STREAMS_PER_NETWORK: {
    kind: wholeNumber(1, 100_000),
    about: 'the same of one network; at most, and by default, 8/9 of `STREAMS`: 5,333',
    example: '500',
  },
  STREAMS_PER_USER: {
    kind: wholeNumber(1, 1000),
    default: '20',
    about: 'the same of one user; another one ends the oldest',
    example: '50',
  },
  OFFICE_NETWORKS: {
    kind: networks,
    about:
      'networks that many people share, separated by commas: 10,000 accounts may fail to log in from one of their addresses in 15 minutes, not 100 ([how logins are limited](decisions/016-guesses-credentials-and-deletion.md))',
    example: '203.0.113.7, 2001:db8:7::/48',
  },
  TRUSTED_PROXIES: {
    kind: networks,
    about: 'networks of the proxies whose `X-Forwarded-*` headers are trusted, separated by commas',
    example: '127.0.0.1, 10.0.0.0/8',
  },
  DRAIN: {
    kind: wholeNumber(0, 60),
    about:
      'seconds for which the server still serves after SIGTERM, [so that a load balancer notices](#several-servers); by default 5 if `TRUSTED_PROXIES` is set, otherwise 0',
    example: '10',
  },
  ALLOWED_HOSTS: {
    kind: hosts,
    about:
      'accepted host names, without ports, separated by commas; by default all; [other hosts get a 421](#behind-a-proxy)',
    example: 'tasks.example.org, [::1]',
  },
  HSTS: {
    kind: onOrOff,
    default: 'off',
    about:
      '`on` tells browsers that came over HTTPS to use only HTTPS for a year, [behind a trusted proxy](#behind-a-proxy); only for hosts that will keep HTTPS',
    example: 'on',
  },
  OFFLINE: {
    kind: onOrOff,
    default: 'on',
    about:
      '`off` stores no page, tasks or notes in browsers, and removes stored ones; [without a network](#offline)',
    example: 'off',
  },
  PUBLIC_URL: {
    kind: publicUrl,
    about:
      'the https address at which users open the server; the links that [`daymark users`](#people-and-accounts) prints begin with it, and push services get it as the contact of [reminders](#reminders)',
    example: 'https://tasks.example.org',
  },
  CONTACT: {
    kind: email,
    about: 'an email address that push services get as the contact of reminders in place of `PUBLIC_URL`',
    example: 'admin@example.org',
  },
  PUSH_HOSTS: {
    kind: hosts,
    about:
      'hosts of push services that browsers may name besides those of Mozilla, Google, Apple and Microsoft, without ports, separated by commas; they may be in a private network',
    example: 'push.example.org',
  },
  METRICS_PORT: {
    kind: wholeNumber(0, 65_535),
    about: 'the port for Prometheus, also on `HOST`; by default there are no metrics',
    example: '9100',
  },
  BACKUP_DIR: {
    kind: text,
    about: 'the folder for scheduled backups of an SQLite database; by default there are none',
    example: '/var/lib/daymark/backups',
  },
  BACKUP_EVERY: {
    kind: duration,
    default: '24h',
    about: 'the interval of backups: a number and `s`, `m`, `h` or `d`',
    example: '6h',
  },
  BACKUP_KEEP: {
    kind: wholeNumber(1, 10_000),
    default: '7',
    about: 'the number of backups to keep',
    example: '28',
  },
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
