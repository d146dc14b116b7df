/** A part of a text: a link if it has an address. A path leads to a note. */
export type TextPart = { text: string; href?: string }

/** `[title](note:ID)`, which a task that was made of a line of a note contains. */
const noteLink = /\[((?:\\.|[^\]\\\n])*)\]\(note:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)/giu

/** An address ends at white space, at the characters that commonly enclose it, and at invisible characters. */
const address = /\b(?:https?:\/\/|mailto:)[^\s<>"“”«»`\p{C}]+/giu
const protocols = ['http:', 'https:', 'mailto:']

/** Splits the first `length` characters of a text at its links. A link that is cut there keeps its whole address. */
export function splitAtLinks(text: string, length = text.length): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: match, 1: title = '', 2: id, index } of text.slice(0, length).matchAll(noteLink)) {
    parts.push(...splitAtAddresses(text.slice(end, index)))
    parts.push({ text: title.replace(/\\(.)/gu, '$1'), href: `/dashboard/notes/${id}` })
    end = index + match.length
  }
  return end === 0
    ? splitAtAddresses(text, length)
    : [...parts, ...splitAtAddresses(text.slice(end), length - end)]
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
