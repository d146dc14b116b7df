import { type Input, Parser, TreeFragment } from '@lezer/common'
import { noteParser } from '../markdown/note-parser.ts'

/** The parser of notes for a text that is being edited: what it takes over from the last tree costs less. */
class TypingParser extends Parser {
  createParse(
    input: Input,
    fragments: readonly TreeFragment[],
    ranges: Parameters<Parser['createParse']>[2],
  ) {
    return noteParser.createParse(input, inSteps(fragments), ranges)
  }
}

export const typingParser = new TypingParser()

/** Where the first step ends, in characters. */
const firstStep = 1000

/**
 * Where it begins to take over blocks, Lezer decides how large the groups may be that it takes as a whole: a quarter of what
 * lies before. At the beginning of a text nothing does, so that it would take every block before the caret on its own. Here
 * it begins again after about 1000, 2000, 4000 and so on characters, with larger groups each time.
 */
function inSteps(fragments: readonly TreeFragment[]): readonly TreeFragment[] {
  const [first] = fragments
  if (!first || first.from > 0) return fragments
  const { tree, offset, openStart } = first
  const steps: TreeFragment[] = []
  for (let length = firstStep; length < first.to; length *= 2) {
    // A step ends where a block begins: a block that it cut in two would be parsed again.
    const to = (tree.topNode.childBefore(length + offset)?.from ?? 0) - offset
    if (to > (steps.at(-1)?.to ?? 0)) steps.push(new TreeFragment(0, to, tree, offset, openStart, true))
  }
  return [...steps, ...fragments]
}
