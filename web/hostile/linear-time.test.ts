import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'
import { type TextReader, textReaders } from './text-readers.ts'

const units = [
  ...['> ', '\n', '\r', '\u2028', ' ', '\t', '- ', '[', '(', '#', '|', '`', '*', 'https://a)', '1'],
  ...['a\u0301', '#swim ', '\t"""'],
]
const paired = ['\n', ' ', '- ', '[', '*']
const pairs = paired.flatMap((one) =>
  paired.filter((other) => other !== one).map((other) => [one, other] as const),
)

/** How a text of any length is made: one or two units that alternate, or the second after the first. The end fits no repetition. */
type Hostile = { name: string; make: (length: number) => string }

const repeated = (unit: string, length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, Math.max(0, length))

const hostile: Hostile[] = [
  ...units.map((unit) => ({ name: unit, make: (length: number) => `${repeated(unit, length - 1)}x` })),
  ...pairs
    .filter(([one, other]) => paired.indexOf(one) < paired.indexOf(other))
    .map(([one, other]) => ({
      name: one + other,
      make: (length: number) => `${repeated(one + other, length - 1)}x`,
    })),
  ...pairs.map(([one, other]) => ({
    name: `${one}, then ${other}`,
    make: (length: number) => `${repeated(one, length / 2)}${repeated(other, length / 2 - 1)}x`,
  })),
]

/** Milliseconds of processor time, which other processes do not change, for one of so many readings: the clock of a thread has coarse steps. */
async function timeOf(read: TextReader, text: string, readings: number) {
  const before = process.threadCpuUsage()
  for (let reading = 0; reading < readings; reading++)
    try {
      await read(text)
    } catch {
      // A text may be refused.
    }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000 / readings
}

/** Shorter times have no meaningful ratio, in milliseconds. */
const shortest = 30

async function problemOf(read: TextReader, length: number, { name, make }: Hostile) {
  // Several times what a linear reader takes, so that the speed of a machine decides nothing.
  const [most, readings] = length === 990 ? [250, 10] : [500, 1]
  // A short text first: an exponential time would never end.
  for (const part of [64, 8]) {
    const text = make(length / part)
    if ((await timeOf(read, text, readings)) < most) continue
    // Again, since what else the process does, such as compiling, only adds to a time.
    const time = await timeOf(read, text, readings)
    if (time >= most) return `${JSON.stringify(name)}: ${time.toFixed(0)} ms for one of ${part} parts`
  }
  const text = make(length)
  const isShort = async () => (await timeOf(read, text, readings)) < shortest
  if ((await isShort()) || (await isShort())) return
  // Of all parts of a text, so that each measured time is as long as that of the whole if the time is linear.
  const texts = [1, 2, 4, 8].map((part) => ({ text: make(length / part), readings: readings * part }))
  const times = texts.map(() => Number.POSITIVE_INFINITY)
  // The shortest of up to five times of each: what else the process does, such as compiling, only adds to a time.
  for (let run = 0; run < 5; run++) {
    for (const [index, { text, readings }] of texts.entries())
      times[index] = Math.min(times[index] as number, await timeOf(read, text, readings))
    const [whole = 0, ...parts] = times
    // Each, because larger heaps are collected more often.
    const isSlower = parts.every((time, index) => whole / time >= 3 ** (index + 1))
    if (whole < shortest || (whole < most && !isSlower)) return
  }
  return `${JSON.stringify(name)}: ${times.map((time) => time.toFixed(1)).join(', ')} ms, each for half of the one before`
}

test.each(
  textReaders.flatMap(({ length, readers }) =>
    Object.entries(readers).map(([name, read]) => [name, length, read] as const),
  ),
)('%s reads any text of %i characters in linear time', async (_name, length, read) => {
  let problem: string | undefined
  for (const text of hostile) problem ??= await problemOf(read, length, text)
  expect(problem).toBeUndefined()
})

/** Files whose patterns read no long text of a person. */
const withoutTexts = [
  // What an operator writes, and names and texts of the program itself.
  ...['server/add-command.ts', 'server/command.ts', 'server/config.ts', 'server/environment.ts'],
  ...['server/http/described-calls.ts', 'server/http/documented-schemas.ts', 'server/http/route.ts'],
  ...['web/api/client.ts', 'web/build.ts'],
  // The address of the page, shortened titles and snippets, the spaces before the mark of an item, and names of keys.
  ...['web/dashboard/background.tsx', 'web/notes/editor/shown-marks.ts'],
  ...['web/notes/markdown/linked-items.ts', 'web/notes/use-copies.ts', 'web/notes/use-plain-text.ts'],
  ...['web/tasks/list/use-kept-focus.ts', 'web/tasks/repeat/rule-text.ts'],
]

const root = join(import.meta.dirname, '../..')
const table = 'web/hostile/text-readers.ts'

type Parsed = { imports: string[]; patterns: string[] }

/** What a file imports at run time, and its patterns that repeat without a bound. */
function parsed(file: string): Parsed {
  const text = readFileSync(join(root, file), 'utf8')
  const found: Parsed = { imports: [], patterns: [] }
  const add = ({ source, importKind }: { source?: unknown; importKind?: string }) => {
    const name = (source as { value?: unknown } | null | undefined)?.value
    if (typeof name !== 'string' || importKind === 'type' || !/^[.#]/.test(name)) return
    found.imports.push(name.startsWith('#') ? name.slice(1) : join(dirname(file), name))
  }
  const addPattern = (pattern: string) => {
    if (/[*+]|\{\d+,\}/.test(pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gs, ''))) found.patterns.push(pattern)
  }
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    Literal(node) {
      if ('regex' in node) addPattern(node.regex.pattern)
    },
    NewExpression({ callee, start, end }) {
      if (callee.type === 'Identifier' && callee.name === 'RegExp') addPattern(text.slice(start, end))
    },
  }).visit(parseSync(file, text).program)
  return found
}

test('no pattern that repeats without a bound is in a file that no measured function imports', () => {
  const reached = new Set<string>()
  const follow = (file: string) => {
    if (reached.has(file) || !/\.tsx?$/.test(file)) return
    reached.add(file)
    for (const imported of parsed(file).imports) follow(imported)
  }
  follow(table)
  const files = globSync('{contract,server,web}/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !/\.test\.ts$|\/testing\/|\/hostile\/|\.d\.ts$/.test(file) && parsed(file).patterns.length > 0,
  )
  expect(files.filter((file) => !reached.has(file)).sort()).toEqual(withoutTexts)
})
