type Cell = { text: string /** Its place in the line. */; from: number; to: number }

/** The cells of a row of a table. An escaped pipe is text. */
export function cellsOf(row: string): Cell[] {
  const pipes = [...row.matchAll(/(?<!\\)(?:\\\\)*\|/g)].map(({ index, 0: { length } }) => index + length - 1)
  const hasFirst = row.slice(0, pipes[0] ?? 0).trim() === ''
  const ends = [...pipes.slice(hasFirst ? 1 : 0), row.length]
  let begin = hasFirst ? (pipes[0] ?? -1) + 1 : 0
  const cells = ends.map((end) => {
    const written = row.slice(begin, end)
    const text = written.trim()
    const from = begin + (text === '' ? Math.min(1, written.length) : written.indexOf(text))
    begin = end + 1
    return { text, from, to: from + text.length }
  })
  // Text after the last pipe is no cell.
  return row.trimEnd().endsWith('|') && cells.length > 1 ? cells.slice(0, -1) : cells
}

const alignments = { left: /^:-*$/, right: /^-+:$/, center: /^:-*:$/ }

type Alignment = keyof typeof alignments

/** The alignment of `:--`, `:-:` or `--:`. */
export const alignmentOf = (delimiter: string) =>
  (Object.keys(alignments) as Alignment[]).findLast((name) => alignments[name].test(delimiter))
