import { applyChanges, textChanges } from '../engine/notes/line-changes.ts'

/** A text as text fields show it: they know only one line break. */
export const shownText = (stored: string): string => stored.replace(/\r\n?/g, '\n')

/**
 * The text to store after it was edited in a field. Lines that were not edited keep their line breaks. New lines get the line
 * breaks of the text, so that a note with Windows line breaks keeps them.
 */
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
  // A lone CR that came before an LF would be one line break with it.
  return shownText(edited) === shown ? edited : shown.replaceAll('\n', lineBreak)
}

/** For each position in the shown text, the one in the stored text. */
function storedPositions(stored: string): number[] {
  const positions: number[] = []
  for (let index = 0; index < stored.length; index++) {
    positions.push(index)
    if (stored[index] === '\r' && stored[index + 1] === '\n') index++
  }
  return [...positions, stored.length]
}
