import type { Tree } from '@lezer/common'
import { parseSlowly } from '../markdown/parse-slowly.ts'
import { bold, code, italic, linked, struck } from './blocks.ts'

/** The reading view hides the character. */
export const hidden = 32
/** The character begins a block that is shown as written, with all marks. */
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

/** The formats of each character in the reading view, and whether it is hidden, as bits. */
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

/** List marks of plain text. Formatted text has lists instead. */
const listMarks =
  /^[^\S\n\r\u2028\u2029]*(?:[-*+o•·●○◦▪■§–]|[üØvq](?=\t)|\(?(?:\d{1,9}|[a-z]|[ivxl]+)[.)])(?=\s)(?:[^\S\n]+\[[ x]\](?=\s))?/gimu

/** Whether the reading view of the Markdown shows all words of a plain text. */
export async function holdsWords(markdown: string, plain: string): Promise<boolean> {
  const tree = await parseSlowly(markdown)
  if (!tree) return false
  const counts = new Map<string, number>()
  const words = wordsOf(`${shownIn(markdown, readBack(tree, markdown))}\n${namesIn(markdown, tree)}`)
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return wordsOf(plain.replace(listMarks, '')).every((word) => {
    const count = counts.get(word) ?? 0
    counts.set(word, count - 1)
    return count > 0
  })
}

function shownIn(markdown: string, seen: Uint8Array): string {
  let shown = ''
  for (let index = 0; index < markdown.length; index++) {
    const unit = markdown.charAt(index)
    if (!((seen[index] as number) & hidden)) shown += unit
    // It separates the cells of a table.
    else if (unit === '|') shown += ' '
  }
  return shown
}

/** Addresses of links and languages of code, which some programs put into the plain text. */
function namesIn(markdown: string, tree: Tree): string {
  const names: string[] = []
  tree.iterate({
    enter({ name, from, to, node }) {
      const isHidden = name === 'CodeInfo' || (name === 'URL' && node.parent?.name === 'Link')
      if (isHidden) names.push(markdown.slice(from, to))
    },
  })
  return names.join('\n')
}

/** Case is ignored, because a style sheet can show capitals. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .toUpperCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
