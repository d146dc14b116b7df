import { type JsonObject, objectsIn, textIn } from './json-and-tables.ts'

const deepest = 100
const empty = new Map([
  ['horizontalrule', '<hr>'],
  ['linebreak', '<br>'],
  ['snfile', '<img>'],
])
const elements = new Map([
  ...Object.entries({ paragraph: 'p', quote: 'blockquote', code: 'pre' }),
  ...Object.entries({ table: 'table', tablerow: 'tr', tablecell: 'td' }),
])
/** The elements of the bits of a format. */
const formats: [number, string][] = [
  [1, 'b'],
  [2, 'i'],
  [4, 's'],
  [16, 'code'],
]
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Returns a node of Lexical, the editor of Standard Notes, as HTML. */
export function htmlOf(node: JsonObject, depth = 0): string {
  const { type, children, text, format, tag, listType, url, checked } = node
  const within = (element: string, inner: string, attributes = '') =>
    `<${element}${attributes}>${inner}</${element}>`
  if (typeof text === 'string')
    return formats
      .filter(([bit]) => Number(format) & bit)
      .reduce((inner, [, element]) => within(element, inner), escaped(text))
  const whole = empty.get(textIn(type))
  if (whole !== undefined) return whole
  const inner =
    depth < deepest
      ? objectsIn(children)
          .map((child) => htmlOf(listType === 'check' ? { checked: false, ...child } : child, depth + 1))
          .join('')
      : ''
  if (type === 'heading' || type === 'list')
    return within(/^(h[1-6]|[ou]l)$/.exec(textIn(tag))?.[0] ?? 'p', inner)
  if (type === 'listitem')
    return within('li', inner, typeof checked === 'boolean' ? ` data-checked="${checked}"` : '')
  if (type === 'link' || type === 'autolink') return within('a', inner, ` href="${escaped(textIn(url))}"`)
  const element = elements.get(textIn(type))
  return element ? within(element, inner) : inner
}
