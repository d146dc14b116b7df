import { tags } from '@lezer/highlight'
import {
  Autolink,
  type BlockContext,
  type InlineContext,
  type LeafBlock,
  type Line,
  type MarkdownConfig,
  parser,
  Strikethrough,
  Table,
  TaskList,
} from '@lezer/markdown'

/**
 * Lines and paragraphs beyond this many characters are not searched for inline Markdown: a paragraph is parsed as a whole
 * at every keystroke in it, in hostile texts in quadratic time.
 */
const longestParsed = 5000

/** The number of quotes and lists inside each other; deeper ones stay text. */
const deepest = 24

const LongLines: MarkdownConfig = {
  defineNodes: [{ name: 'LongLine', block: true }],
  parseBlock: [
    {
      name: 'LongLine',
      before: 'IndentedCode',
      parse(context: BlockContext, line: Line) {
        if (line.text.length <= longestParsed && context.depth <= deepest) return false
        const from = context.lineStart + line.pos
        context.addElement(context.elt('LongLine', from, context.lineStart + line.text.length))
        context.nextLine()
        return true
      },
      endLeaf: (_context: BlockContext, line: Line, leaf: LeafBlock) =>
        line.text.length > longestParsed || leaf.content.length > longestParsed,
    },
  ],
}

/** A tag has at least one letter, so that `#1` is none, and follows no letter or digit, as in `C#sharp`. */
const tag = /^#[\p{L}\p{N}\p{M}_/-]*\p{L}[\p{L}\p{N}\p{M}_/-]*/u
const beforeTag = /[\p{L}\p{N}_&#/]/u
const longestTag = 100

const Tags: MarkdownConfig = {
  defineNodes: [{ name: 'Tag', style: tags.tagName }],
  parseInline: [
    {
      name: 'Tag',
      before: 'Link',
      parse(context: InlineContext, next: number, position: number) {
        if (next !== 35 /* # */) return -1
        if (position > context.offset && beforeTag.test(context.slice(position - 1, position))) return -1
        const end = Math.min(position + longestTag, context.end)
        const [found] = tag.exec(context.slice(position, end)) ?? []
        if (found === undefined) return -1
        return context.addElement(context.elt('Tag', position, position + found.length))
      },
    },
  ],
}

/** CommonMark with the tables, task lists, strikethrough and addresses of GitHub, and tags. */
export const noteParser = parser.configure([Table, TaskList, Strikethrough, Autolink, Tags, LongLines])
