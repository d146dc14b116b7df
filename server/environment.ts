import { readFileSync } from 'node:fs'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { nearestName } from './nearest-name.ts'

/** An invalid configuration. The message is one line that names the variable and describes a valid value. */
export class ConfigError extends Error {}

/** A type of value. `read` returns undefined for an invalid text; the error then says "must be" and `expected`. */
export type Kind<Value> = { expected: string; read: (text: string) => Value | undefined }

export type Variable<Value = unknown> = {
  kind: Kind<Value>
  /** In the text form of the variable. A variable without a default is optional. */
  default?: string
  example?: string
  /** The value may contain a password, so errors omit it. */
  secret?: true
}

type ValueOf<V extends Variable> =
  V extends Variable<infer Value> ? (V extends { default: string } ? Value : Value | undefined) : never

type Environment = Record<string, string | undefined>

/** An empty or blank variable counts as not set. */
export const textOf = (environment: Environment, name: string) => environment[name]?.trim() || undefined

export function readVariables<Table extends Record<string, Variable>>(
  table: Table,
  environment: Environment,
) {
  const entries = Object.entries(table).map(([name, { kind, default: fallback, secret }]) => {
    const text = textOf(environment, name) ?? fallback
    if (text === undefined) return [name, undefined]
    const value = kind.read(text)
    if (value === undefined)
      throw new ConfigError(`${name} must be ${kind.expected}${secret ? '' : `, not "${text}"`}`)
    return [name, value]
  })
  return Object.fromEntries(entries) as { [Name in keyof Table]: ValueOf<Table[Name]> }
}

/** Throws a ConfigError for a variable whose name is nearly one of the table. The variable would have no effect. */
export function rejectMisspelt(table: object, environment: Environment): void {
  const names = Object.keys(table)
  for (const name of Object.keys(environment)) {
    if (names.includes(name) || !textOf(environment, name)) continue
    const nearest = nearestName(name.toUpperCase(), names)
    if (nearest) throw new ConfigError(`${name} is not a variable of Daymark: is ${nearest} meant?`)
  }
}

/** Reads the value of `name` from the file in `NAME_FILE`, if set. Container platforms pass secrets as files. */
export function withSecretFromFile(environment: Environment, name: string): Environment {
  const file = textOf(environment, `${name}_FILE`)
  if (file === undefined) return environment
  if (textOf(environment, name))
    throw new ConfigError(`${name} and ${name}_FILE are both set; set only one of them`)
  const value = readSecret(file)
  if (value === undefined) throw new ConfigError(`${name}_FILE must be a readable file, not "${file}"`)
  // With the default, a server would use an empty database in place of the configured one.
  if (!value)
    throw new ConfigError(`${name}_FILE must be a file with the value of ${name}; "${file}" is empty`)
  return { ...environment, [name]: value }
}

function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}

export const text: Kind<string> = { expected: 'a text', read: (text) => text }

export const wholeNumber = (min: number, max: number): Kind<number> => ({
  expected: `a whole number from ${min} to ${max}`,
  read: (text) =>
    /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined,
})

export const oneOf = <Choice extends string>(...choices: Choice[]): Kind<Choice> => ({
  expected: `one of ${choices.join(', ')}`,
  read: (text) => choices.find((choice) => choice === text),
})

export const onOrOff: Kind<boolean> = {
  expected: 'one of off, on',
  read: (text) => ({ off: false, on: true })[text],
}

/** Parsed to seconds. */
export const duration: Kind<number> = { expected: 'a time such as 30m, 24h or 7d', read: secondsIn }

/** Parsed to bytes. */
export const size: Kind<number> = {
  expected: 'a size such as 500MiB or 1GiB',
  read(text) {
    const [, count, unit = ''] = /^([1-9]\d{0,5})([KMG]iB)$/.exec(text) ?? []
    return count ? Number(count) * (unitBytes[unit] as number) : undefined
  },
}

export type Rate = { max: number; seconds: number }

export const rate: Kind<Rate> = {
  expected: 'a number of calls and a time, such as 300/10s',
  read(text) {
    const [, max, span = ''] = /^([1-9]\d{0,5})\/(\w+)$/.exec(text) ?? []
    const seconds = secondsIn(span)
    return max && seconds ? { max: Number(max), seconds } : undefined
  },
}

const listOf = (expected: string, read: (entry: string) => string | undefined): Kind<string[]> => ({
  expected: `${expected}, separated by commas`,
  read(text) {
    const entries = text
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)
      .map(read)
    return entries.every((entry) => entry !== undefined) ? entries : undefined
  },
})

export const networks = listOf('networks such as 10.0.0.0/8, fd00::/8', (entry) =>
  isNetwork(entry) ? entry : undefined,
)

/** Parsed to host names as browsers send them. */
export const hosts = listOf('host names without a port such as tasks.example.org, [::1]', hostOf)

const unitBytes: Record<string, number> = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

function secondsIn(text: string): number | undefined {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([smhd])$/.exec(text) ?? []
  return count ? Number(count) * (unitSeconds[unit] as number) : undefined
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const version = isIP(address)
  if (!version || more.length > 0) return false
  if (prefix === undefined) return true
  try {
    new BlockList().addSubnet(address, Number(prefix), version === 6 ? 'ipv6' : 'ipv4')
    // Everyone is no network.
    return /^\d+$/.test(prefix) && Number(prefix) > 0
  } catch {
    return false
  }
}

function hostOf(text: string): string | undefined {
  const isName = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i.test(text)
  const isAddress = text.startsWith('[') && text.endsWith(']') && isIPv6(text.slice(1, -1))
  // Converts an IPv6 address to the form that clients send.
  return isName || isAddress ? URL.parse(`http://${text}`)?.hostname : undefined
}
