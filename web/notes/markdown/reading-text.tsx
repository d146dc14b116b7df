import type { SyntaxNode } from '@lezer/common'
import { createElement, type JSX, type ReactNode } from 'react'
import { unescaped } from '#contract/link-target.ts'
import type { Range } from '#contract/ranges.ts'
import type { Part } from '#contract/text-parts.ts'
import { tagPath } from '../../views/views.ts'
import { addressOf } from './note-address.ts'
import { titleIn } from './note-titles.ts'
import { PageLink, type ReadingContext, ReadingLink, TitleLink } from './reading-link.tsx'

/** `parts`: the links, addresses and tags of the text. In code and in labels there are none. */
export type TextContext = ReadingContext & { parts: readonly Part[] }

/** Elements that are nested deeper are shown as text. */
export const deepest = 40

export const marks = new Set([
  ...['HeaderMark', 'QuoteMark', 'ListMark', 'LinkMark', 'EmphasisMark', 'CodeMark', 'StrikethroughMark'],
  ...['TaskMarker', 'TableDelimiter'],
])

const wrappers: Record<string, keyof JSX.IntrinsicElements> = {
  Emphasis: 'em',
  StrongEmphasis: 'strong',
  Strikethrough: 'del',
  InlineCode: 'code',
}

export function inline(
  node: SyntaxNode,
  context: TextContext,
  depth: number,
  from = node.from,
  to = node.to,
): ReactNode[] {
  if (depth > deepest) return linkedText(context, from, to)
  const shown: ReactNode[] = []
  let end = from
  for (const child of childrenOf(node)) {
    if (child.from < end || child.from >= to) continue
    shown.push(...linkedText(context, end, child.from))
    // The space after a mark belongs to the mark.
    if (!marks.has(child.name)) shown.push(inlinePart(child, context, depth))
    end = child.to
  }
  shown.push(...linkedText(context, end, to))
  if (typeof shown[0] === 'string') shown[0] = shown[0].trimStart()
  return shown
}

function inlinePart(node: SyntaxNode, context: TextContext, depth: number): ReactNode {
  const key = node.from
  const wrapper = wrappers[node.name]
  if (wrapper) return createElement(wrapper, { key }, inline(node, context, depth + 1))
  switch (node.name) {
    case 'Link':
    case 'Image':
      // If the parser and `partsOf` differ, because of HTML, the text is shown.
      if (partAt(context.parts, node.from)?.kind !== 'link') return linkedText(context, node.from, node.to)
      return <NoteLink key={key} node={node} context={context} depth={depth} />
    case 'NoteTitle': {
      const written = { from: node.from, to: node.to, title: titleIn(writtenText(node, context)) }
      return <TitleLink key={key} written={written} context={context} />
    }
    case 'Autolink':
      return inline(node, context, depth + 1)
    case 'Escape':
      return writtenText(node, context).slice(1)
    case 'HardBreak':
      return <br key={key} />
    default:
      return linkedText(context, node.from, node.to)
  }
}

/** A link, or its Markdown if it has no valid target. Its label has no addresses and tags. */
function NoteLink({ node, context, depth }: { node: SyntaxNode; context: TextContext; depth: number }) {
  const url = node.getChild('URL')
  const [opening, closing] = node.getChildren('LinkMark')
  const address = url ? addressOf(writtenText(url, context)) : undefined
  if (!address || !url || !opening || !closing) return writtenText(node, context)
  const isUnnamed = context.text.slice(opening.to, closing.from).trim() === ''
  const label = isUnnamed ? url : node
  const [from, to] = isUnnamed ? [url.from, url.to] : [opening.to, closing.from]
  const title = node.getChild('LinkTitle')
  return (
    <>
      <ReadingLink address={address} context={context}>
        {inline(label, { ...context, parts: [] }, depth + 1, from, to)}
      </ReadingLink>
      {title && <span className="reading-aside soft"> ({unescaped(writtenText(title, context))})</span>}
    </>
  )
}

export function linkedText(context: TextContext, from: number, to: number): ReactNode[] {
  const shown: ReactNode[] = []
  let end = from
  for (let index = firstFrom(context.parts, from); index < context.parts.length; index++) {
    const part = context.parts[index] as Part
    const target = targetOf(part)
    if (target.from >= to) break
    const link = target.to <= to && linkOf(context, part)
    if (!link) continue
    shown.push(context.text.slice(end, target.from), link)
    end = target.to
  }
  return [...shown, context.text.slice(end, to)].filter((part) => part !== '')
}

function linkOf(context: TextContext, part: Part): ReactNode {
  const words = (range: Range) => context.text.slice(range.from, range.to)
  if (part.kind === 'tag')
    return (
      <a key={part.from} className="note-tag" href={tagPath(words(part))}>
        {words(part)}
      </a>
    )
  const address =
    part.kind === 'link' ? addressOf(words(part.destination)) : { ...part, kind: 'page' as const }
  return (
    address?.kind === 'page' && (
      <PageLink key={part.from} href={address.href}>
        {words(targetOf(part))}
      </PageLink>
    )
  )
}

/** The range that is a link when the part is shown as written. */
const targetOf = (part: Part): Range => (part.kind === 'link' ? part.destination : part)

function firstFrom(parts: readonly Part[], place: number): number {
  let [low, high] = [0, parts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (targetOf(parts[middle] as Part).from < place) low = middle + 1
    else high = middle
  }
  return low
}

const partAt = (parts: readonly Part[], place: number): Part | undefined => {
  const part = parts[firstFrom(parts, place)]
  return part?.from === place ? part : undefined
}

export const writtenText = ({ from, to }: SyntaxNode, { text }: ReadingContext) => text.slice(from, to)

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child)
  return children
}
