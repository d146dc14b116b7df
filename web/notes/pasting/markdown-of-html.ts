import { type Block, unformatted } from './blocks.ts'
import { blocksOf } from './html-blocks.ts'
import { inlineMarkdown } from './inline-markdown.ts'
import { markdownOf } from './markdown-of-blocks.ts'
import { parsePasted } from './pasted-html.ts'
import { holdsWords } from './read-back.ts'

/** The plain text of the same content, and the Markdown before and after it in its line. */
type PastedBeside = { plain: string; before?: string; after?: string }
/** `isPhrase`: it can be a part of a line. */
type Converted = { markdown: string; isPhrase: boolean }

/**
 * Formatted text as Markdown, without images. Undefined if the text has no formats, or if some words of the plain text would
 * not be shown.
 */
export const markdownOfHtml = (html: string, pasted: PastedBeside) =>
  markdownOfNodes(parsePasted(html), pasted)

/** As `markdownOfHtml`, of HTML that was parsed. */
export async function markdownOfNodes(
  body: Node | undefined,
  { plain, before = '', after = '' }: PastedBeside,
): Promise<Converted | undefined> {
  const blocks = body ? blocksOf(body, plain) : []
  if (!blocks.some(isFormatted)) return
  const [block] = blocks
  const isPhrase = blocks.length === 1 && block?.kind === 'paragraph' && block.path.length === 0
  const markdown = isPhrase
    ? // An indented line would be read as code: what it belongs to is on the lines before.
      inlineMarkdown(block.text, { first: before.trimStart(), after })
    : await markdownOf(blocks)
  return (await holdsWords(markdown, plain)) ? { markdown, isPhrase } : undefined
}

const isFormatted = (block: Block) =>
  block.kind !== 'paragraph' ||
  block.path.length > 0 ||
  block.text.some(({ formats, link }) => formats || link)

/** The text of HTML that was copied without a plain text. */
export const plainOfHtml = (html: string): string => plainOfNodes(parsePasted(html))

export const plainOfNodes = (body: Node | undefined): string =>
  body ? blocksOf(body, '').map(plainOf).join('\n') : ''

function plainOf(block: Block): string {
  if (block.kind === 'table') return block.rows.map((cells) => cells.map(unformatted).join('\t')).join('\n')
  if (block.kind === 'rule') return ''
  return block.kind === 'code' ? block.text : unformatted(block.text)
}
