import { blocksOf } from '../../notes/pasting/html-blocks.ts'
import { markdownOf } from '../../notes/pasting/markdown-of-blocks.ts'
import { isConvertible } from '../../notes/pasting/markdown-of-html.ts'
import { parsedDocument } from '../../notes/pasting/parsed-document.ts'
import { type JsonObject, objectsIn, textIn } from './json-and-tables.ts'

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

const deepest = 100
const empty = new Map(Object.entries({ horizontalrule: '<hr>', linebreak: '<br>', snfile: '<img>' }))
const blocks = { paragraph: 'p', quote: 'blockquote', code: 'pre' }
const elements = new Map(Object.entries({ ...blocks, table: 'table', tablerow: 'tr', tablecell: 'td' }))
/** The elements of the bits of a format. */
const formats = Object.entries({ 1: 'b', 2: 'i', 4: 's', 16: 'code' })
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Returns a node of Lexical, the editor of Standard Notes, as HTML. */
export function htmlOf(node: JsonObject, depth = 0): string {
  const { type, children, text, format, tag, listType, url, checked } = node
  const within = (element: string, inner: string, attributes = '') =>
    `<${element}${attributes}>${inner}</${element}>`
  if (typeof text === 'string')
    return formats
      .filter(([bit]) => Number(format) & Number(bit))
      .reduce((inner, [, element]) => within(element, inner), escaped(text))
  const whole = empty.get(textIn(type))
  if (whole !== undefined) return whole
  const inner = (depth < deepest ? objectsIn(children) : [])
    .map((child) => htmlOf(listType === 'check' ? { checked: false, ...child } : child, depth + 1))
    .join('')
  if (type === 'heading' || type === 'list')
    return within(/^(h[1-6]|[ou]l)$/.exec(textIn(tag))?.[0] ?? 'p', inner)
  if (type === 'listitem')
    return within('li', inner, typeof checked === 'boolean' ? ` data-checked="${checked}"` : '')
  if (type === 'link' || type === 'autolink') return within('a', inner, ` href="${escaped(textIn(url))}"`)
  const element = elements.get(textIn(type))
  return element ? within(element, inner) : inner
}
