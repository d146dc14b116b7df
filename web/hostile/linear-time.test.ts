import { expect, test } from 'vitest'
import { type Reader, textReaders } from './text-readers.ts'

const units = ['> ', '\n', '\r', '\u2028', ' ', '\t', '- ', '[', '(', '#', '|', '`', '*', 'https://a)', '1', 'a\u0301']
const paired = ['\n', ' ', '- ', '[', '*']

/** How a text of any length is made: one or two units that alternate, or the second after the first. The end fits no repetition. */
type Hostile = { name: string; make: (length: number) => string }

const repeated = (unit: string, length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, Math.max(0, length))

const hostile: Hostile[] = [
  ...units.map((unit) => ({ name: unit, make: (length: number) => `${repeated(unit, length - 1)}x` })),
  ...paired.flatMap((one, index) =>
    paired.slice(index + 1).map((other) => ({
      name: one + other,
      make: (length: number) => `${repeated(one + other, length - 1)}x`,
    })),
  ),
  ...paired.flatMap((one) =>
    paired
      .filter((other) => other !== one)
      .map((other) => ({
        name: `${one}, then ${other}`,
        make: (length: number) => `${repeated(one, length / 2)}${repeated(other, length / 2 - 1)}x`,
      })),
  ),
]

/** Processor time, which other processes do not change. */
async function timeOf(read: Reader, text: string): Promise<number> {
  const before = process.threadCpuUsage()
  try {
    await read(text)
  } catch {
    // A text may be refused.
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

async function medianOf(read: Reader, text: string): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 5; run++) times.push(await timeOf(read, text))
  return times.sort((one, other) => one - other)[2] as number
}

/** Shorter times have no meaningful ratio, in milliseconds. */
const shortest = 20

async function problemOf(read: Reader, length: number, { name, make }: Hostile): Promise<string | undefined> {
  const most = length === 990 ? 50 : 100
  // A short text first: an exponential time would never end.
  for (const part of [64, 16, 4]) {
    const text = make(length / part)
    if ((await timeOf(read, text)) < most) continue
    const time = await medianOf(read, text)
    if (time >= most) return `${JSON.stringify(name)}: ${time.toFixed(0)} ms for one of ${part} parts`
  }
  const text = make(length)
  if ((await timeOf(read, text)) < shortest) return
  const whole = await medianOf(read, text)
  const half = whole < shortest ? whole : await medianOf(read, make(length / 2))
  if (whole >= most || whole / half >= 3)
    return `${JSON.stringify(name)}: ${whole.toFixed(1)} ms, ${half.toFixed(1)} ms for the half`
}

test.each(
  textReaders.flatMap(({ length, readers }) =>
    Object.entries(readers).map(([name, read]) => [name, length, read] as const),
  ),
)('%s reads any text of %i characters in linear time', async (_name, length, read) => {
  const problems: (string | undefined)[] = []
  for (const text of hostile) problems.push(await problemOf(read, length, text))
  expect(problems.filter(Boolean).join('\n')).toBe('')
})
