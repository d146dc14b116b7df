import { type Block, unformatted } from './blocks.ts'
import { styleAttribute } from './elements.ts'
import { blocksOf } from './html-blocks.ts'
import { inlineMarkdown } from './inline-markdown.ts'
import { markdownOf } from './markdown-of-blocks.ts'
import { holdsWords } from './read-back.ts'

/** The longest HTML that is converted, without comments and style sheets. */
const longest = 300_000
/** Browsers need minutes for some short texts with deeply nested elements. */
const deepest = 100
const mostFormats = 20

/** The Sanitizer API, which not every browser has. */
type SafeParser = { parseHTML?: (html: string, options: { sanitizer: object }) => Document }

const formatElements = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '))
const openEnded = 'p li dt dd td th tr thead tbody tfoot colgroup option optgroup rt rp'
const empty = 'area base br col embed hr img input link meta source track wbr'
const endless = new Set(`${openEnded} ${empty}`.split(' '))

/** The body of pasted HTML, without running or loading anything; undefined if it is too long or too deep. */
export function parsePasted(html: string): HTMLElement | undefined {
  const content = without(without(html, /<!--/, /-->/), /<style\b/i, /<\/style\s*>/i)
  if (!isConvertible(content)) return
  // The default sanitizer would remove most elements and all styles. Every sanitizer removes scripts.
  return (Document as SafeParser).parseHTML?.(withReadableStyles(content), { sanitizer: {} }).body
}

export const isConvertible = (html: string): boolean => html.length <= longest && !isTooDeep(html)

/** Removes the parts from each start to its end. A single regular expression would be slow for some texts. */
function without(html: string, start: RegExp, end: RegExp): string {
  const [first = '', ...others] = html.split(start)
  const rest = others.map((text) => {
    const found = end.exec(text)
    return found ? text.slice(found.index + found[0].length) : ''
  })
  return first + rest.join('')
}

/** The page's policy would report each `style` attribute. */
const withReadableStyles = (html: string) =>
  html.replace(/<[a-z][^<>]*/gi, (tag) => tag.replace(/([\s"'/])style(?=\s*=)/gi, `$1${styleAttribute}`))

function isTooDeep(html: string): boolean {
  const open = new Map<string, number>()
  let [depth, formats] = [0, 0]
  for (const [, slash, written = ''] of html.matchAll(/<(\/?)([a-z][^\s/<>]*)/gi)) {
    const name = written.toLowerCase()
    if (endless.has(name)) continue
    const count = open.get(name) ?? 0
    if (slash && count === 0) continue
    const change = slash ? -1 : 1
    open.set(name, count + change)
    depth += change
    if (formatElements.has(name)) formats += change
    if (depth > deepest || formats > mostFormats) return true
  }
  return false
}

/** The plain text of the same content, and the text before and after it in its line. */
type PastedBeside = { plain: string; before?: string; after?: string }
/** `isPhrase`: it can be part of a line. */
type Converted = { markdown: string; isPhrase: boolean }

/** Formatted text as Markdown, without images. Undefined if there are no formats, or if words of the plain text would be lost. */
export const markdownOfHtml = (html: string, pasted: PastedBeside) =>
  markdownOfNodes(parsePasted(html), pasted)

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

/** For HTML that was copied without plain text. */
export const plainOfHtml = (html: string): string => plainOfNodes(parsePasted(html))

export const plainOfNodes = (body: Node | undefined) =>
  body ? blocksOf(body, '').map(plainOf).join('\n') : ''

function plainOf(block: Block): string {
  if (block.kind === 'table') return block.rows.map((cells) => cells.map(unformatted).join('\t')).join('\n')
  if (block.kind === 'rule') return ''
  return block.kind === 'code' ? block.text : unformatted(block.text)
}
