import { applyChanges, textChanges } from '../engine/notes/line-changes.ts'

/** A text as text fields show it, with LF as the only line break. */
export const shownText = (stored: string): string => stored.replace(/\r\n?/g, '\n')

/** The text to store after an edit. Unedited lines keep their line breaks, and new lines get those of the text. */
export function storedText(before: string, shown: string): string {
  if (!before.includes('\r')) return shown
  const lineBreak = before.includes('\r\n') ? '\r\n' : '\r'
  const positions = storedPositions(before)
  const edited = applyChanges(
    before,
    textChanges(shownText(before), shown).map(({ from, to, insert }) => ({
      from: positions[from] as number,
      to: positions[to] as number,
      insert: insert.replaceAll('\n', lineBreak),
    })),
  )
  // A lone CR before an inserted LF would make one line break with it.
  return shownText(edited) === shown ? edited : shown.replaceAll('\n', lineBreak)
}

/** The stored position of each shown position. */
function storedPositions(stored: string): number[] {
  const positions: number[] = []
  for (let index = 0; index < stored.length; index++) {
    positions.push(index)
    if (stored[index] === '\r' && stored[index + 1] === '\n') index++
  }
  return [...positions, stored.length]
}
