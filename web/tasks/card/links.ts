/** A part of a text: a link if it has an address. A path leads to a note. */
type TextPart = { text: string; href?: string }

/** A link to a note or a task, and where it is in the text. */
type ItemLink = { title: string; id: string; start: number; end: number }

/** The signs of `[title](note:ID)` and `[title](task:ID)`. A title is in one line. */
const signs = /\\.|[[\n]|\](?:\((note|task):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\))?/giu

/** An address ends at white space, at the characters that commonly enclose it, and at invisible characters. */
const address = /\b(?:https?:\/\/|mailto:)[^\s<>"“”«»`\p{C}]+/giu
const protocols = ['http:', 'https:', 'mailto:']

/** The links to items of this kind, in one pass over the text: it may consist of brackets. */
export function* itemLinks(kind: 'note' | 'task', text: string): Generator<ItemLink> {
  /** Where the last bracket was opened, unless it was closed. */
  let opening: number | undefined
  for (const { 0: sign, 1: linked, 2: id, index } of text.matchAll(signs)) {
    if (id !== undefined && opening !== undefined && linked?.toLowerCase() === kind) {
      const title = text.slice(opening + 1, index).replace(/\\(.)/gu, '$1')
      yield { title, id, start: opening, end: index + sign.length }
    }
    if (!sign.startsWith('\\')) opening = sign === '[' ? index : undefined
  }
}

/** Splits the first `length` characters of a text at its links. A link that is cut there keeps its whole address. */
export function splitAtLinks(text: string, length = text.length): TextPart[] {
  const parts: TextPart[] = []
  let last = 0
  for (const { title, id, start, end } of itemLinks('note', text.slice(0, length))) {
    parts.push(...splitAtAddresses(text.slice(last, start)))
    parts.push({ text: title, href: `/dashboard/notes/${id}` })
    last = end
  }
  return last === 0
    ? splitAtAddresses(text, length)
    : [...parts, ...splitAtAddresses(text.slice(last), length - last)]
}

function splitAtAddresses(text: string, length = text.length): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: match, index } of text.slice(0, length).matchAll(address)) {
    const isCut = index + match.length === length
    const href = withoutPunctuation(isCut ? addressAt(text, index) : match)
    if (!isLink(href)) continue
    if (index > end) parts.push({ text: text.slice(end, index) })
    end = Math.min(index + href.length, length)
    parts.push({ text: text.slice(index, end), href })
  }
  if (end < length) parts.push({ text: text.slice(end, length) })
  return parts
}

function addressAt(text: string, index: number): string {
  const here = new RegExp(address, 'iuy')
  here.lastIndex = index
  return here.exec(text)?.[0] ?? ''
}

/** Removes the end of the sentence around an address, and each closing bracket without an opening one in it. */
function withoutPunctuation(match: string): string {
  const count = (character: string) => match.split(character).length - 1
  const unopened: Record<string, number> = { ')': count(')') - count('('), ']': count(']') - count('[') }
  let end = match.length
  while (end > 0) {
    const last = match[end - 1] as string
    const surplus = unopened[last]
    if (surplus !== undefined ? surplus <= 0 : !`.,:;!?'’*_`.includes(last)) break
    if (surplus !== undefined) unopened[last] = surplus - 1
    end--
  }
  return match.slice(0, end)
}

const isLink = (href: string) => URL.canParse(href) && protocols.includes(new URL(href).protocol)
