import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'

/** A variable whose value cannot be used. The start stops with this one line, which names it and says what would be right. */
export class ConfigError extends Error {}

export type Rate = { most: number; seconds: number }

/** Readers for the kinds of values that variables have. An empty variable counts as unset. */
export function readerOf(environment: Record<string, string | undefined>) {
  const text = (name: string) => environment[name]?.trim() || undefined

  function wholeNumber(name: string, min: number, max: number): number | undefined {
    const value = text(name)
    if (value === undefined) return undefined
    if (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value)
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}"`)
  }

  function oneOf<Choice extends string>(name: string, choices: readonly Choice[], otherwise: Choice): Choice {
    const value = text(name) ?? otherwise
    const choice = choices.find((known) => known === value)
    if (choice) return choice
    throw new ConfigError(`${name} must be one of ${choices.join(', ')}, not "${value}"`)
  }

  function rate(name: string): Rate | undefined {
    const value = text(name)
    if (value === undefined) return undefined
    const [, most, span] = /^([1-9]\d{0,5})\/(\w+)$/.exec(value) ?? []
    const seconds = span && secondsIn(span)
    if (most && seconds) return { most: Number(most), seconds }
    throw new ConfigError(`${name} must be a number of calls and a time, such as 300/10s, not "${value}"`)
  }

  function duration(name: string): number | undefined {
    const value = text(name)
    if (value === undefined) return undefined
    const seconds = secondsIn(value)
    if (seconds) return seconds
    throw new ConfigError(`${name} must be a time such as 30m, 24h or 7d, not "${value}"`)
  }

  function bytes(name: string): number | undefined {
    const value = text(name)
    if (value === undefined) return undefined
    const [, count, unit] = /^([1-9]\d{0,5})([KMG]iB)$/.exec(value) ?? []
    if (unit) return Number(count) * (unitBytes[unit] as number)
    throw new ConfigError(`${name} must be a size such as 500MiB or 1GiB, not "${value}"`)
  }

  function networks(name: string): string[] {
    const entries = (text(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)
    for (const entry of entries) {
      if (!isNetwork(entry)) {
        throw new ConfigError(
          `${name} must be networks such as 10.0.0.0/8, fd00::/8, split by commas, not "${entry}"`,
        )
      }
    }
    return entries
  }

  /** A secret may stand in a file named by NAME_FILE, as container platforms hand them over. */
  function secret(name: string): string | undefined {
    const file = text(`${name}_FILE`)
    if (file === undefined) return text(name)
    if (text(name)) throw new ConfigError(`${name} and ${name}_FILE are both set; one must go`)
    try {
      return readFileSync(file, 'utf8').trim() || undefined
    } catch {
      throw new ConfigError(`${name}_FILE must be a file that can be read, not "${file}"`)
    }
  }

  return { text, wholeNumber, oneOf, rate, duration, bytes, networks, secret }
}

const unitBytes: Record<string, number> = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

function secondsIn(text: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,4})([smhd])$/.exec(text) ?? []
  return unit ? Number(count) * (unitSeconds[unit] as number) : undefined
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const version = isIP(address)
  if (!version || more.length > 0) return false
  if (prefix === undefined) return true
  try {
    new BlockList().addSubnet(address, Number(prefix), version === 6 ? 'ipv6' : 'ipv4')
    return /^\d+$/.test(prefix)
  } catch {
    return false
  }
}
