import { readFileSync } from 'node:fs'

/**
 * Reads forty tasks with their first days and rules, and the tasks that Today shows on each of 42 days. The days were worked out by
 * hand. Each task is completed on the first day that shows it, except that nothing is done in `missed`, and the device has no network in
 * `offline`. On each day of `moves`, the task `moved` that is due is moved four days on before Today is read.
 */
export function readWeeks(name: string) {
  const [tasks = '', days = ''] = readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8').split('\n\n')
  const cells = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => line.split(' | ') as [string, string, ...string[]])
  return {
    tasks: cells(tasks),
    days: cells(days).map(([day, titles]) => ({ day, titles: titles.split(', ') })),
  }
}

/** Days of the six weeks by their position: from the first one, and before the second one. */
export const [missed, offline] = [
  [14, 21],
  [28, 35],
] as const

export const moves = [4, 8]

export const isIn = ([from, end]: readonly [number, number], index: number) => index >= from && index < end

/** 18:00 in summer, and 17:00 in winter. */
export const eveningOf = (day: string) => new Date(`${day}T16:00Z`)
