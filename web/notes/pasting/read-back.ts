import type { Tree } from '@lezer/common'
import { bold, code, italic, linked, struck } from './blocks.ts'

/** The reading view does not show the character. */
export const hidden = 32
/** A character that begins a block whose text is shown as it is written, with all marks. */
export const raw = 64

const formats: Record<string, number> = {
  StrongEmphasis: bold,
  Emphasis: italic,
  Strikethrough: struck,
  InlineCode: code,
  URL: linked,
}

const marks = new Set([
  ...['HeaderMark', 'QuoteMark', 'ListMark', 'LinkMark', 'EmphasisMark', 'CodeMark', 'CodeInfo'],
  ...['StrikethroughMark', 'TaskMarker', 'TableDelimiter', 'HorizontalRule', 'LinkTitle'],
])

const rawBlocks = new Set(['HTMLBlock', 'CommentBlock', 'ProcessingInstructionBlock', 'LongLine'])

/** What the reading view makes of each character of Markdown. A character has formats, and is shown or hidden. */
export function readBack(tree: Tree, markdown: string): Uint8Array {
  const seen = new Uint8Array(markdown.length)
  const add = (from: number, to: number, bits: number) => {
    for (let index = from; index < to; index++) seen[index] = (seen[index] as number) | bits
  }
  tree.iterate({
    enter({ name, from, to, node }) {
      const format = formats[name]
      if (format) add(from, to, format)
      else if (marks.has(name)) add(from, to, hidden)
      else if (rawBlocks.has(name)) add(from, from + 1, raw)
      else if (name === 'Escape') add(from, from + 1, hidden)
      else if (name === 'HardBreak') add(from, markdown.indexOf('\n', from), hidden)
      else if (name === 'Link' || name === 'Image') {
        const url = node.getChild('URL')
        const [opening, closing] = node.getChildren('LinkMark')
        // Brackets without an address are text.
        if (!url || !opening || !closing) return false
        add(opening.to, closing.from, linked)
        add(closing.from, to, hidden)
      }
      return true
    },
  })
  return seen
}
