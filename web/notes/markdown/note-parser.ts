import { tags } from '@lezer/highlight'
import {
  type BlockContext,
  type DelimiterType,
  type Element,
  type InlineContext,
  type LeafBlock,
  type Line,
  type MarkdownConfig,
  parser,
  Strikethrough,
  Table,
  TaskList,
} from '@lezer/markdown'
import type { Range } from '#contract/ranges.ts'
import { deepest } from '#contract/sections.ts'
import { type Part, partsOfSection } from '#contract/text-parts.ts'

/** The longest parsed line or paragraph: a paragraph is parsed at every keystroke, in quadratic time for hostile texts. */
export const longestParsed = 5000

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

const partsOfContext = new WeakMap<InlineContext, Map<number, Part>>()

/** The parts of a section by the index of their beginning, and links also by the end of their label. */
function partsAt(context: InlineContext): Map<number, Part> {
  const known = partsOfContext.get(context)
  if (known) return known
  const found = new Map<number, Part>()
  for (const part of partsOfSection(context.text)) {
    found.set(part.kind === 'address' && part.isEnclosed ? part.from - 1 : part.from, part)
    if (part.kind === 'link') found.set(part.label.to, part)
  }
  partsOfContext.set(context, found)
  return found
}

const label: DelimiterType = {}

/** Links, addresses and tags of `contract/text-parts.ts`. Reference links and HTML tags in a paragraph are text. */
const Parts: MarkdownConfig = {
  remove: ['Link', 'Image', 'LinkEnd', 'LinkReference', 'HTMLTag'],
  defineNodes: [{ name: 'Tag', style: tags.tagName }],
  parseInline: [
    {
      name: 'Part',
      before: 'Escape',
      parse(context: InlineContext, _next: number, position: number) {
        const part = partsAt(context).get(position - context.offset)
        if (!part) return -1
        const element = (name: string, { from, to }: Range, children: Element[] = []) =>
          context.elt(name, context.offset + from, context.offset + to, children)
        const mark = (from: number, length = 1) => element('LinkMark', { from, to: from + length })
        if (part.kind === 'tag') return context.addElement(element('Tag', part))
        if (part.kind === 'address') {
          const url = element('URL', part)
          if (!part.isEnclosed) return context.addElement(url)
          const around = { from: part.from - 1, to: part.to + 1 }
          return context.addElement(element('Autolink', around, [mark(around.from), url, mark(part.to)]))
        }
        const { from, to, label: words, destination, title } = part
        if (position - context.offset === from)
          return context.addDelimiter(label, position, context.offset + words.from, true, false)
        const opening = context.findOpeningDelimiter(label)
        if (opening === null) return -1
        return context.addElement(
          element(part.isImage ? 'Image' : 'Link', part, [
            mark(from, words.from - from),
            ...context.takeContent(opening),
            mark(words.to, 2),
            ...(destination.to > destination.from ? [element('URL', destination)] : []),
            ...(title ? [element('LinkTitle', title)] : []),
            mark(to - 1),
          ]),
        )
      },
    },
  ],
}

const writtenTitle = /^\[\[[^[\]|\n]{1,100}\]\]/

/** `[[Budget]]` links to the note with this title. */
const NoteTitles: MarkdownConfig = {
  defineNodes: [{ name: 'NoteTitle' }],
  parseInline: [
    {
      name: 'NoteTitle',
      // `[[1]](address)` is a link as a whole.
      after: 'Part',
      parse(context: InlineContext, next: number, position: number) {
        if (next !== '['.charCodeAt(0) || context.findOpeningDelimiter(label) !== null) return -1
        const [found] =
          writtenTitle.exec(context.slice(position, Math.min(position + 104, context.end))) ?? []
        if (found === undefined || found.slice(2, -2).trim() === '') return -1
        return context.addElement(context.elt('NoteTitle', position, position + found.length))
      },
    },
  ],
}

/** CommonMark with GitHub's tables, task lists and strikethrough, the links, addresses and tags of all texts, and titles of notes. */
export const noteParser = parser.configure([Table, TaskList, Strikethrough, Parts, NoteTitles, LongLines])
