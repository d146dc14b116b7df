import type { Block } from './blocks.ts'
import { blocksOf } from './html-blocks.ts'
import { markdownOf } from './markdown-of-blocks.ts'
import { parsePasted } from './pasted-html.ts'
import { holdsWords } from './shown-words.ts'

/** `isPhrase`: it can be a part of a line. */
type Converted = { markdown: string; isPhrase: boolean }

/**
 * Formatted text as Markdown, without images. Undefined if it has no formats, or if the result would not show all words of
 * the plain text.
 */
export async function markdownOfHtml(html: string, plain: string): Promise<Converted | undefined> {
  const body = parsePasted(html)
  return body && (await markdownOfNodes(body, plain))
}

/** As `markdownOfHtml`, of HTML that was parsed. */
export async function markdownOfNodes(body: Node, plain: string): Promise<Converted | undefined> {
  const blocks = blocksOf(body, plain)
  if (!blocks.some(isFormatted)) return
  const markdown = await markdownOf(blocks)
  if (!(await holdsWords(markdown, plain))) return
  return {
    markdown,
    isPhrase: blocks.length === 1 && blocks[0]?.kind === 'paragraph' && blocks[0].path.length === 0,
  }
}

const isFormatted = (block: Block) =>
  block.kind !== 'paragraph' ||
  block.path.length > 0 ||
  block.text.some(({ formats, link }) => formats || link)
