import { useMemo } from 'react'
import { lineChanges } from '../engine/notes/line-changes.ts'

type ComparedLine = { kind: 'same' | 'removed' | 'added'; line: string }

/** Beyond this many lines the rest is left out: the browser would lay them all out at once. */
const mostRows = 2000

/** Two texts as one, line by line, with removed and added parts. These are marked by signs, not by colour alone. */
export function LineDifferences({ before, after }: { before: string; after: string }) {
  const rows = useMemo(() => differences(before, after), [before, after])
  return (
    <ol className="line-differences">
      {rows.slice(0, mostRows).map(({ kind, line }, index) => {
        const Element = kind === 'removed' ? 'del' : kind === 'added' ? 'ins' : 'span'
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <li key={index} data-kind={kind}>
            <Element dir="auto">{line || ' '}</Element>
          </li>
        )
      })}
      {rows.length > mostRows && <li>{rows.length - mostRows} more lines</li>}
    </ol>
  )
}

function differences(before: string, after: string): ComparedLine[] {
  const lines = before.split('\n')
  const rows: ComparedLine[] = []
  let end = 0
  const add = (kind: ComparedLine['kind'], added: string[]) =>
    rows.push(...added.map((line) => ({ kind, line })))
  for (const change of lineChanges(lines, after.split('\n'))) {
    add('same', lines.slice(end, change.start))
    add('removed', lines.slice(change.start, change.end))
    add('added', change.lines)
    end = change.end
  }
  add('same', lines.slice(end))
  return rows
}
