import { clashes } from './clashes.ts'
import { type LineChange, lineChanges } from './line-changes.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** The words of a line, and what is between them. */
export const partsOf = (line: string) => Array.from(segmenter.segment(line), ({ segment }) => segment)

/**
 * Merges two versions of a line by words. Undefined if changes of both sides overlap or touch each other, and are not the
 * same.
 */
export function mergeWords(base: string, mine: string, theirs: string): string | undefined {
  const parts = partsOf(base)
  const changes = clashes(lineChanges(parts, partsOf(mine)), lineChanges(parts, partsOf(theirs)), false)
  let [merged, end] = ['', 0]
  for (const clash of changes) {
    if (clash.mine.length > 0 && clash.theirs.length > 0 && !areSame(clash.mine, clash.theirs)) return
    const [change] = [...clash.mine, ...clash.theirs]
    merged += parts.slice(end, clash.start).join('') + (change?.lines.join('') ?? '')
    end = clash.end
  }
  return merged + parts.slice(end).join('')
}

const areSame = ([one, ...more]: LineChange[], [other, ...others]: LineChange[]) =>
  more.length + others.length === 0 &&
  one?.start === other?.start &&
  one?.end === other?.end &&
  one?.lines.join('') === other?.lines.join('')
