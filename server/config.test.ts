import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, test } from 'vitest'
import { type Config, readConfig, variables } from './config.ts'
import type { Variable } from './environment.ts'

const defaults: Config = readConfig({})
const messageOf = (environment: Record<string, string>) => {
  try {
    readConfig(environment)
    return 'no error'
  } catch (error) {
    return (error as Error).message
  }
}

test('every setting has a default', () => {
  expect({ ...defaults, databaseUrl: fileURLToPath(defaults.databaseUrl) }).toEqual({
    host: '127.0.0.1',
    port: 3000,
    metricsPort: undefined,
    databaseUrl: resolve('data/daymark.sqlite'),
    database: {
      ...{ migrate: true, contract: false, connections: 20 },
      ...{ statementSeconds: 2, connectTimeout: 2500, prepared: false },
    },
    listCacheSize: 33_554_432,
    logLevel: 'warn',
    registration: 'open',
    sessionDays: { idle: 90, max: 365 },
    accountQuota: 1_073_741_824,
    apiRate: undefined,
    signupRate: { max: 5000, seconds: 3600 },
    streams: { max: 6000, perNetwork: undefined, perUser: 20 },
    officeNetworks: [],
    trustedProxies: [],
    drain: 0,
    allowedHosts: [],
    hsts: false,
    offline: true,
    publicUrl: undefined,
    contact: undefined,
    pushHosts: [],
    backup: undefined,
  })
})

test.each([
  ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['HOST', '::1', { host: '::1' }],
  ['PORT', '0', { port: 0 }],
  ['PORT', '65535', { port: 65_535 }],
  ['PORT', ' 8080 ', { port: 8080 }],
  ['METRICS_PORT', '9090', { metricsPort: 9090 }],
  ['PUBLIC_URL', 'https://tasks.example.org', { publicUrl: new URL('https://tasks.example.org') }],
  ['CONTACT', 'admin@example.org', { contact: 'admin@example.org' }],
  ['PUSH_HOSTS', 'push.example.org', { pushHosts: ['push.example.org'] }],
  ['MIGRATE', 'off', { database: { ...defaults.database, migrate: false } }],
  ['POSTGRES_CONNECTIONS', '50', { database: { ...defaults.database, connections: 50 } }],
  ['POSTGRES_STATEMENT_SECONDS', '5', { database: { ...defaults.database, statementSeconds: 5 } }],
  ['POSTGRES_PREPARED', 'on', { database: { ...defaults.database, prepared: true } }],
  ['LIST_CACHE_SIZE', '256MiB', { listCacheSize: 268_435_456 }],
  ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
  ['REGISTRATION', 'closed', { registration: 'closed' }],
  ['REGISTRATION', 'first-user', { registration: 'first-user' }],
  ['SESSION_IDLE_DAYS', '1', { sessionDays: { idle: 1, max: 365 } }],
  ['SESSION_MAX_DAYS', '3650', { sessionDays: { idle: 90, max: 3650 } }],
  ['API_RATE_LIMIT', '300/10s', { apiRate: { max: 300, seconds: 10 } }],
  ['API_RATE_LIMIT', '1/1m', { apiRate: { max: 1, seconds: 60 } }],
  ['SIGNUP_RATE_LIMIT', '5/2h', { signupRate: { max: 5, seconds: 7200 } }],
  ['SIGNUP_RATE_LIMIT', '20/1d', { signupRate: { max: 20, seconds: 86_400 } }],
  ['ACCOUNT_QUOTA', '10MiB', { accountQuota: 10_485_760 }],
  ['ACCOUNT_QUOTA', '2GiB', { accountQuota: 2_147_483_648 }],
  ['STREAMS', '10000', { streams: { ...defaults.streams, max: 10_000 } }],
  ['STREAMS_PER_NETWORK', '500', { streams: { ...defaults.streams, perNetwork: 500 } }],
  ['STREAMS_PER_USER', '50', { streams: { ...defaults.streams, perUser: 50 } }],
  ['OFFICE_NETWORKS', '203.0.113.7', { officeNetworks: ['203.0.113.7'] }],
  ['TRUSTED_PROXIES', '127.0.0.1', { trustedProxies: ['127.0.0.1'], drain: 5 }],
  ['TRUSTED_PROXIES', '10.0.0.0/8, fd00::/8,', { trustedProxies: ['10.0.0.0/8', 'fd00::/8'], drain: 5 }],
  ['DRAIN', '10', { drain: 10 }],
  ['ALLOWED_HOSTS', 'localhost', { allowedHosts: ['localhost'] }],
  [
    'ALLOWED_HOSTS',
    'Tasks.Example.org, 192.0.2.7,[2001:DB8:0::1],',
    { allowedHosts: ['tasks.example.org', '192.0.2.7', '[2001:db8::1]'] },
  ],
  ['HSTS', 'on', { hsts: true }],
  ['BACKUP_DIR', '/backups', { backup: { folder: '/backups', everySeconds: 86_400, keep: 7 } }],
])('%s accepts "%s"', (name, value, expected) => {
  expect(readConfig({ [name]: value })).toEqual({ ...defaults, ...expected })
})

test('three variables configure backups', () => {
  const environment = { BACKUP_DIR: '/backups', BACKUP_EVERY: '30m', BACKUP_KEEP: '48' }
  expect(readConfig(environment).backup).toEqual({ folder: '/backups', everySeconds: 1800, keep: 48 })
})

test('an empty or blank variable counts as not set', () => {
  const names = ['HOST', 'PORT', 'DATABASE_URL', 'DATABASE_URL_FILE', 'LOG_LEVEL', 'API_RATE_LIMIT', 'HSTS']
  for (const value of ['', ' ']) {
    expect(readConfig(Object.fromEntries(names.map((name) => [name, value])))).toEqual(defaults)
  }
})

const wholeNumber = (from: number, to: number) => `a whole number from ${from} to ${to}`
const rate = 'a number of calls and a time, such as 300/10s'
const hosts = 'host names without a port such as tasks.example.org, [::1], separated by commas'
const networks = 'networks such as 10.0.0.0/8, fd00::/8, separated by commas'

test.each([
  ...['65536', '-1', '80.5', '0x50', '1e3', 'http', '３０００', '80 81'].map((value) => [
    'PORT',
    value,
    wholeNumber(0, 65_535),
  ]),
  ['METRICS_PORT', '65536', wholeNumber(0, 65_535)],
  ['POSTGRES_CONNECTIONS', '0', wholeNumber(1, 1000)],
  ['POSTGRES_STATEMENT_SECONDS', '61', wholeNumber(1, 60)],
  ['LOG_LEVEL', 'loud', 'one of silent, error, warn, info, debug'],
  ['REGISTRATION', 'no', 'one of open, closed, first-user'],
  ['REGISTRATION', 'Open', 'one of open, closed, first-user'],
  ['SESSION_IDLE_DAYS', '0', wholeNumber(1, 3650)],
  ['SESSION_MAX_DAYS', '3651', wholeNumber(1, 3650)],
  ...['300', '300/10', '0/10s', '300/0s', '300/10y', '-1/1s', '1.5/1s', '300 / 10s'].map((value) => [
    'API_RATE_LIMIT',
    value,
    rate,
  ]),
  ['SIGNUP_RATE_LIMIT', 'few', rate],
  ...['1000000', '0MiB', '1.5GiB', '10MB', '-1GiB', '1 GiB'].map((value) => [
    'ACCOUNT_QUOTA',
    value,
    'a size such as 500MiB or 1GiB',
  ]),
  ...['true', '1', 'proxy.example.org', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '::1/129'].map((value) => [
    'TRUSTED_PROXIES',
    value,
    networks,
  ]),
  ...'*,*.example.org,.example.org,example.org:443,https://example.org,example.org/,::1,[::1]:80,[1.2.3.4]'
    .split(',')
    .map((value) => ['ALLOWED_HOSTS', value, hosts]),
  ...['dämon.example', 'a b', 'a..b', '-a', '1.2.3.256'].map((value) => ['ALLOWED_HOSTS', value, hosts]),
  ['HSTS', 'true', 'one of off, on'],
  ['BACKUP_EVERY', '1', 'a time such as 30m, 24h or 7d'],
  ['BACKUP_KEEP', '0', wholeNumber(1, 10_000)],
])('%s rejects "%s" with a message of one line', (name = '', value = '', expected = '') => {
  expect(messageOf({ BACKUP_DIR: '/b', [name]: value })).toBe(`${name} must be ${expected}, not "${value}"`)
})

describe('DATABASE_URL', () => {
  test.each([
    ['file:notes.sqlite', resolve('notes.sqlite')],
    ['file:./a folder/100%.sqlite', resolve('a folder/100%.sqlite')],
    ['file:../up.sqlite', resolve('../up.sqlite')],
    ['file:/srv/daymark.sqlite', '/srv/daymark.sqlite'],
    ['file:///srv/daymark.sqlite', '/srv/daymark.sqlite'],
  ])('%s names a file, relative to the working directory', (value, path) => {
    expect(fileURLToPath(readConfig({ DATABASE_URL: value }).databaseUrl)).toBe(path)
  })

  test.each(['postgres://ada:secret@db.example.org:5433/daymark', 'postgresql://localhost/daymark'])(
    '%s names a PostgreSQL database',
    (value) => {
      expect(readConfig({ DATABASE_URL: value }).databaseUrl.href).toBe(value)
    },
  )

  test.each([
    ...['data/daymark.sqlite', 'file:', 'file:data/', 'file://server/share.sqlite', 'sqlite:data.sqlite'],
    ...['mysql://ada:hunter2@localhost/daymark', 'postgres://ada:hunter2@/daymark'],
    ...['postgres://ada:hunter2@localhost:port/daymark', 'postgres:hunter2', 'hunter2'],
  ])('%s is rejected with a message of one line that does not contain the value', (value) => {
    expect(messageOf({ DATABASE_URL: value })).toBe(
      'DATABASE_URL must be file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    )
  })

  test('is read from the file in DATABASE_URL_FILE', () => {
    const file = join(mkdtempSync(join(inject('folder'), 'secret-')), 'url')
    writeFileSync(file, 'postgres://ada:secret@localhost/daymark\n')
    const { databaseUrl } = readConfig({ DATABASE_URL_FILE: file })
    expect(databaseUrl.href).toBe('postgres://ada:secret@localhost/daymark')
  })

  test('is rejected if both variables are set or the file does not exist or is empty', () => {
    const both = { DATABASE_URL: 'file:a', DATABASE_URL_FILE: 'b' }
    for (const [environment, message] of [
      [both, 'DATABASE_URL and DATABASE_URL_FILE are both set; set only one of them'],
      [{ DATABASE_URL_FILE: '/nowhere' }, 'DATABASE_URL_FILE must be a readable file, not "/nowhere"'],
      [{ DATABASE_URL_FILE: '/dev/null' }, /^DATABASE_URL_FILE must be .*; "\/dev\/null" is empty$/],
    ] as const)
      expect(messageOf(environment)).toMatch(message)
  })
})

test('docs/operating.md lists every variable with its default, description and example', () => {
  const quoted = (text: string | undefined) => text && `\`${text}\``
  const rows = Object.entries<Variable>(variables).map(([name, { default: value, example }]) => [
    ...[quoted(name), quoted(value) ?? 'none', expect.stringMatching(/\w/), quoted(example) ?? ''],
  ])
  const page = readFileSync(join(import.meta.dirname, '../docs/operating.md'), 'utf8')
  const [, section = ''] = page.split('\n## Variables\n')
  const table = section
    .split('\n## ')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(/ ?\| ?/).slice(1, -1))
  expect(table).toEqual(rows)
})

test.each([
  ['compose.sqlite.yaml', /^(HOST|PORT|DATABASE_URL(_FILE)?|BACKUP_DIR|POSTGRES_.*)$/],
  ['compose.postgres.yaml', /^(HOST|PORT|DATABASE_URL(_FILE)?|BACKUP_.*)$/],
])('%s passes every variable from its environment that the container does not determine', (file, own) => {
  const text = readFileSync(join(import.meta.dirname, '../deploy', file), 'utf8')
  const passed = [...text.matchAll(/^ {6}(\w+): \$\{\1:-.*\}$/gm)].map(([, name]) => name)
  expect(passed).toEqual(Object.keys(variables).filter((name) => !own.test(name)))
})
