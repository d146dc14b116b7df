import { isObject } from '#contract/matches-schema.ts'
import type { SourcePlace } from '../../engine/imported.ts'
import { positionIn } from './decoded-text.ts'
import { importLimits, type PlainCode, Refusal } from './remarks.ts'

export type JsonObject = { [name: string]: unknown }

/** Reads JSON. `row`: the line of the file that the text is, if each has its own. */
export function parseJson(text: string, file: string, row?: number): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refusal('not-json', { file, ...placeIn(String(error), text, row) })
  }
}

/** Chromium says the line, the column or the position; Firefox the line and the column; Safari neither. */
function placeIn(message: string, text: string, row?: number) {
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? []
  const [, position] = /at position (\d+)/.exec(message) ?? []
  const place =
    line !== undefined && column !== undefined
      ? { row: Number(line), column }
      : positionIn(text, position === undefined ? text.length : Number(position))
  return row === undefined ? place : { ...place, row }
}

/** Returns an object of a file, or refuses the file. */
export function objectIn(value: unknown, otherwise: PlainCode, place: SourcePlace): JsonObject {
  if (!isObject(value)) throw new Refusal(otherwise, place)
  return value
}

export const parseObject = (text: string, otherwise: PlainCode, place: SourcePlace): JsonObject =>
  objectIn(parseJson(text, place.file, place.row), otherwise, place)

export function arrayIn(value: unknown, otherwise: PlainCode, place: SourcePlace): unknown[] {
  if (!Array.isArray(value)) throw new Refusal(otherwise, place)
  return value
}

/** The values of an object; none if it is no object. */
export const fieldsIn = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** The objects of a list; none if it is no list. */
export const objectsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : [])

/** A text, or the empty one for anything else. Numbers are ids in some programs. */
export const textIn = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** Sorts by texts, in the order of their UTF-16 units. */
export const sortedBy = <Item>(items: readonly Item[], textOf: (item: Item) => string): Item[] =>
  items.toSorted((one, other) => Number(textOf(one) > textOf(other)) - Number(textOf(one) < textOf(other)))

/** A row of a table with its number, as a spreadsheet counts it. */
export type TableRecord = { row: number; values: string[] }

const delimiters = [',', ';', '\t', '|']

const examined = 20
const examinedLength = 65_536

/** Reads a table: CSV by RFC 4180, with any of the usual delimiters. Blank rows are counted and left out. */
export function recordsOf(text: string, file: string, delimiter = delimiterOf(text, file)): TableRecord[] {
  return [...records(declaredDelimiter(text) ? text.replace(/^.*(\r\n?|\n)/, '\n') : text, file, delimiter)]
}

/** Excel writes `sep=;` into the first row. */
const declaredDelimiter = (text: string) => /^"?sep=(.)"?[\r\n]/i.exec(text.slice(0, 10))?.[1]

/** The delimiter that gives the same number of columns in most rows, then that gives more columns. None if most rows have one column. */
export function delimiterOf(text: string, file: string): string {
  const declared = declaredDelimiter(text)
  if (declared !== undefined) return declared
  const start = text.slice(0, examinedLength)
  let [best, bestScore] = [',', 0]
  let isOne = false
  for (const delimiter of delimiters) {
    const counts = new Map<number, number>()
    let rows = 0
    try {
      for (const { values } of records(start, file, delimiter)) {
        counts.set(values.length, (counts.get(values.length) ?? 0) + 1)
        if (++rows >= examined) break
      }
    } catch {
      // A wrong delimiter finds quotation marks in the middle of values. With all of them, the last reading names the row.
    }
    if (delimiter === ',') isOne = Number(counts.get(1)) > 0
    for (const [columns, count] of counts) {
      if (count <= Number(counts.get(1))) continue
      const score = columns > 1 ? (count * 100) / rows + Math.min(columns, 50) : 0
      if (score > bestScore) [best, bestScore] = [delimiter, score]
    }
  }
  return isOne && bestScore === 0 ? '' : best
}

function* records(text: string, file: string, delimiter: string): Generator<TableRecord> {
  const separator = delimiter.charCodeAt(0)
  let [at, row] = [0, 1]
  while (at < text.length) {
    if (row > importLimits.rows) throw new Refusal('too-many-rows', { file, row }, importLimits.rows)
    const values: string[] = []
    for (;;) {
      const place = { file, row, column: String(values.length + 1) }
      if (values.length >= importLimits.columns)
        throw new Refusal('too-many-columns', place, importLimits.columns)
      const { value, end } = text[at] === '"' ? quoted(text, at, place) : plain(text, at, separator)
      values.push(value)
      at = end
      if (text.charCodeAt(at) !== separator) break
      at++
    }
    if (at < text.length && text[at] !== '\n' && text[at] !== '\r')
      throw new Refusal('text-after-quote', { file, row, column: String(values.length) })
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
    if (values.some((value) => value.trim() !== '')) yield { row, values }
    row++
  }
}

function quoted(text: string, start: number, place: { file: string; row: number; column: string }) {
  for (let from = start + 1; ; ) {
    const close = text.indexOf('"', from)
    if (close < 0) throw new Refusal('quote-not-closed', place)
    if (text[close + 1] !== '"')
      return { value: text.slice(start + 1, close).replaceAll('""', '"'), end: close + 1 }
    from = close + 2
  }
}

function plain(text: string, start: number, separator: number) {
  let end = start
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === separator || code === 10 || code === 13) break
  }
  return { value: text.slice(start, end), end }
}

/** A row whose cells are found by the name of their column. A missing cell is empty. */
export type NamedRow = TableRecord & { cell: (name: string) => string }

/** The rows after the header, which is the first row unless `header` is the index of another one. */
export function namedRows(records: TableRecord[], header = 0): NamedRow[] {
  const columns = new Map(
    (records[header]?.values ?? []).map((name, index) => [name.trim().toUpperCase(), index]),
  )
  return records.slice(header + 1).map(({ row, values }) => ({
    row,
    values,
    cell: (name) => values[columns.get(name.toUpperCase()) ?? -1]?.trim() ?? '',
  }))
}

export const rawOf = ({ values }: TableRecord): string => values.join('\u001f')
