import { linesOf } from './decoded-text.ts'
import { ImportError } from './import-codes.ts'
import { importLimits } from './import-limits.ts'

export type Property = { name: string; params: Map<string, string>; value: string; row: number }
/** `unread`: a line of it that is none of a calendar. */
export type Component = {
  name: string
  row: number
  properties: Property[]
  components: Component[]
  unread?: { row: number; line: string }
}

/** A calendar has several lines for each component. */
const mostLines = 20 * importLimits.rows

/** Reads the components of iCalendar (RFC 5545): lines that are folded, properties with parameters. Values stay escaped. */
export function componentsOf(text: string, file: string): Component[] {
  const root: Component = { name: '', row: 1, properties: [], components: [] }
  const open = [root]
  for (const { line, row } of unfoldedLines(text, file)) {
    const property = propertyIn(line, row)
    const inner = open.at(-1) as Component
    if (!property) {
      // A calendar loses the item alone that has the line.
      const item = open[2] ?? inner
      item.unread ??= { row, line }
      continue
    }
    const { name, value } = property
    if (name === 'BEGIN') {
      if (open.length > importLimits.depth)
        throw new ImportError('too-deep', { max: importLimits.depth }, { file, row })
      const component = { name: value.trim().toUpperCase(), row, properties: [], components: [] }
      inner.components.push(component)
      open.push(component)
    } else if (name === 'END') {
      if (open.length === 1 || inner.name !== value.trim().toUpperCase())
        throw new ImportError(
          'component-not-closed',
          { name: shown(inner.name || value) },
          { file, row: inner.row },
        )
      open.pop()
    } else inner.properties.push(property)
  }
  const last = open.at(-1) as Component
  if (last !== root)
    throw new ImportError('component-not-closed', { name: shown(last.name) }, { file, row: last.row })
  return root.components
}

const shown = (name: string) => name.slice(0, 50)

function* unfoldedLines(text: string, file: string): Generator<{ line: string; row: number }> {
  let [line, first] = ['', 1]
  for (const { line: raw, row } of linesOf(text)) {
    if (row > mostLines) throw new ImportError('too-many-rows', { max: mostLines }, { file, row })
    if (/^[ \t]/.test(raw)) line += raw.slice(1)
    else {
      if (line.trim() !== '') yield { line, row: first }
      ;[line, first] = [raw, row]
    }
  }
  if (line.trim() !== '') yield { line, row: first }
}

const nameAtStart = /^[\w-]{1,100}/
const paramAt = /;([\w-]{1,100})=("[^"]*"|[^",;:]*)((?:,(?:"[^"]*"|[^",;:]*))*)/y

function propertyIn(line: string, row: number): Property | undefined {
  const [name] = nameAtStart.exec(line) ?? []
  if (name === undefined) return undefined
  const params = new Map<string, string>()
  let at = name.length
  while (line[at] === ';') {
    paramAt.lastIndex = at
    const [whole, key = '', value = '', more = ''] = paramAt.exec(line) ?? []
    if (whole === undefined) return undefined
    params.set(key.toUpperCase(), (value + more).replaceAll('"', ''))
    at += whole.length
  }
  return line[at] === ':' ? { name: name.toUpperCase(), params, value: line.slice(at + 1), row } : undefined
}

export const propertiesOf = ({ properties }: Component, name: string): Property[] =>
  properties.filter((property) => property.name === name)

/** The text that a value means. */
export const unescaped = (value: string): string =>
  value.replace(/\\([\\;,nN])/g, (_, character: string) =>
    character.toLowerCase() === 'n' ? '\n' : character,
  )

/** The texts of a list, which commas separate. */
export const listOf = (value: string): string[] =>
  (value.match(/(?:\\.|[^,\\])+/g) ?? []).map((each) => unescaped(each).trim())
