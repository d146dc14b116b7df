/** A quote, or an item of a list, whose lines are indented by this many columns. */
export type Container = { type: 'quote' | 'bullet' | 'ordered'; indent: number }

/** A place in a line: its index, its column, and the column from which the innermost container counts. */
export type Place = { at: number; column: number; base: number }

const item = /^(?:[-*+]|(\d{1,9})[.)])(?=[ \t\r]|$)/
export const rule = /^([-*_])[ \t]*(?:\1[ \t]*){2,}\r?$/

export const isBlank = (words: string) => words === '' || words === '\r'

/** The place after spaces and tabs. A tab reaches to the next column that is a multiple of four. */
export function skipSpace(line: string, place: Place, most = Number.POSITIVE_INFINITY): Place {
  let { at, column } = place
  while (column < most && (line[at] === ' ' || line[at] === '\t')) {
    column += line[at] === '\t' ? 4 - (column % 4) : 1
    at++
  }
  return { ...place, at, column }
}

export const isIndented = (line: string, place: Place) => skipSpace(line, place).column >= place.base + 4

/**
 * The place behind the marks and the indentation of the open containers which the line continues, and their number. `unused`:
 * the item that the line before began without text, which a blank line ends.
 */
export function placeInside(line: string, open: readonly Container[], unused: Container | undefined) {
  let place: Place = { at: 0, column: 0, base: 0 }
  let depth = 0
  for (const container of open) {
    const { type, indent } = container
    const first = skipSpace(line, place)
    if (type === 'quote') {
      if (line[first.at] !== '>') break
      place = behindQuoteMark(line, first)
    } else if (!isBlank(line.slice(first.at))) {
      const base = place.base + indent
      if (first.column < base) break
      place = { ...skipSpace(line, place, base), base }
    } else if (container === unused) break
    depth++
  }
  return { place, depth }
}

function behindQuoteMark(line: string, { at, column, base }: Place): Place {
  const behind = skipSpace(line, { at: at + 1, column: column + 1, base }, column + 2)
  return { ...behind, base: behind.column }
}

/** The container that begins at a place, and the place behind its mark. */
export function containerAt(line: string, place: Place): { container: Container; place: Place } | undefined {
  const first = skipSpace(line, place)
  if (isIndented(line, place)) return
  const words = line.slice(first.at)
  if (words.startsWith('>'))
    return { container: { type: 'quote', indent: 0 }, place: behindQuoteMark(line, first) }
  const [mark, number] = (rule.test(words) ? null : item.exec(words)) ?? []
  if (mark === undefined) return
  const behind = { ...first, at: first.at + mark.length, column: first.column + mark.length }
  const text = skipSpace(line, behind)
  // Text that is further away is code inside of the item.
  const isFar = text.column > behind.column + 4 || isBlank(line.slice(text.at))
  const base = isFar ? behind.column + 1 : text.column
  const type = number === undefined ? 'bullet' : 'ordered'
  return {
    container: { type, indent: base - place.base },
    place: { ...(isFar ? skipSpace(line, behind, base) : text), base },
  }
}

/**
 * Whether a container may begin in a paragraph. A quote may, and an item may if a list of its type is open. Any other item must
 * have text, and its number, if it has one, must be 1.
 */
export function mayInterrupt(line: string, { at }: Place, { type }: Container, open: readonly Container[]) {
  if (type === 'quote' || open.some((container) => container.type === type)) return true
  const words = line.slice(at).trimStart()
  return words.length > 1 && /^(?:[-*+]|1[.)])[ \t]+[^\s]/.test(words)
}
