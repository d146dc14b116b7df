import { blocksOf } from '../../notes/pasting/html-blocks.ts'
import { markdownOf } from '../../notes/pasting/markdown-of-blocks.ts'
import { isConvertible } from '../../notes/pasting/markdown-of-html.ts'
import { parsedDocument } from '../../notes/pasting/parsed-document.ts'

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Returns a text with the characters that its entities mean. */
export const withCharacters = (text: string): string =>
  text.replace(/&(#x?[\da-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) => characterOf(name) ?? whole)

const tags = /<\/?[a-z][^<>]*>/gi

/** Returns HTML that an editor wrote as Markdown. Of what is too long or too deep, only the words. */
export async function markdownInHtml(html: string): Promise<string> {
  if (html.search(tags) < 0) return html
  const shown = html.replace(/<img\b[^<>]*>/gi, '<span>[picture]</span>')
  if (!isConvertible(shown)) return withCharacters(shown.replace(tags, ' ')).trim()
  return await markdownOf(blocksOf(parsedDocument(shown), ''))
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return entities[name.toLowerCase()]
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}
