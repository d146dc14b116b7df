import { hrefOf } from '#contract/addresses.ts'
import { destinationOf, unescaped } from '#contract/link-target.ts'
import type { Range } from '#contract/ranges.ts'
import { type Link, partsOf } from '#contract/text-parts.ts'

/** A part of a text: a tag, a link with an address, or plain text. The link of a note has a path. */
type TextPart = { text: string; href?: string; tag?: string }

type ItemLink = { title: string; id: string; start: number; end: number }

type ItemKind = 'note' | 'task'

const item = /^(note|task):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

function itemLinkIn(text: string, { from, to, label, destination }: Link) {
  const [, kind, id] = item.exec(text.slice(destination.from, destination.to)) ?? []
  if (kind === undefined || id === undefined) return
  const title = unescaped(text.slice(label.from, label.to))
  return { kind: kind.toLowerCase() as ItemKind, link: { title, id, start: from, end: to } }
}

export function* itemLinks(kind: ItemKind, text: string): Generator<ItemLink> {
  for (const part of partsOf(text)) {
    const found = part.kind === 'link' ? itemLinkIn(text, part) : undefined
    if (found?.kind === kind) yield found.link
  }
}

/** Splits a text, or a part of it, at its links and tags. A link that is cut at `end` keeps its whole address. */
export function splitAtLinks(text: string, end = text.length, start = 0): TextPart[] {
  const shown: TextPart[] = []
  let last = start
  const add = ({ from, to }: Range, part: Omit<TextPart, 'text'>, title?: string) => {
    if (from > last) shown.push({ text: text.slice(last, from) })
    last = to
    shown.push({ text: title ?? text.slice(from, Math.min(to, end)), ...part })
  }
  for (const part of partsOf(text)) {
    if (part.from >= end) break
    if (part.from < start) continue
    if (part.kind === 'link') addLink(part)
    else add(part, part.kind === 'tag' ? { tag: text.slice(part.from, part.to) } : { href: part.href })
  }
  if (last < end) shown.push({ text: text.slice(last, end) })
  return shown

  function addLink(link: Link) {
    const found = itemLinkIn(text, link)
    if (found?.kind === 'note')
      return add(link, { href: `/dashboard/notes/${found.link.id}` }, found.link.title)
    const { destination } = link
    const href = hrefOf(destinationOf(text.slice(destination.from, destination.to)))
    if (href !== undefined && destination.from < end) add(destination, { href })
  }
}
