import { addressPattern, enclosedPattern, hrefOf, wholeAddress } from './addresses.ts'
import { codeEndsIn } from './code-ends.ts'
import { linkTargetAt } from './link-target.ts'
import { type Range, shifted } from './ranges.ts'
import { sectionsOf } from './sections.ts'
import { tagPattern } from './tag-pattern.ts'

/** `[label](destination "title")`, or an image, with `!` before it. */
export type Link = Range & {
  kind: 'link'
  isImage: boolean
  label: Range
  destination: Range
  title: Range | undefined
}

/** An address, without the angle brackets around it, and where it leads. */
export type Address = Range & { kind: 'address'; href: string; isEnclosed: boolean }

/** A part of a text that leads somewhere. None is in code, or in the label of a link. */
export type Part = Link | Address | (Range & { kind: 'tag' })

const tokens = new RegExp(
  [
    String.raw`\\[!-\/:-@\[-${'`'}\{-~]`,
    '(?<ticks>(?<!`)`+)',
    String.raw`(?<opening>!?\[)`,
    String.raw`(?<closing>\])`,
    `(?<enclosed>${enclosedPattern})`,
    `(?<address>${addressPattern})`,
    `(?<tag>${tagPattern})`,
  ].join('|'),
  'giu',
)

/** Whether a text can have parts at all. Most texts have none. */
const hint = /[#＃@]|:\/\/|mailto:|www\.|\]\(/iu

/** Yields the parts of a text in order. Notes, bodies of tasks and titles have the same kinds of parts. */
export function* partsOf(text: string): Generator<Part> {
  if (!hint.test(text)) return
  // Addresses in a text that is only indented should work.
  for (const { from: start, text: section, isCode } of sectionsOf(text))
    for (const part of partsOfSection(section))
      if (!isCode || part.kind !== 'tag')
        yield part.kind === 'link' ? shiftedLink(part, start) : shifted(part, start)
}

const shiftedLink = (link: Link, by: number): Link => ({
  ...shifted(link, by),
  label: shifted(link.label, by),
  destination: shifted(link.destination, by),
  title: link.title && shifted(link.title, by),
})

/** The parts of one section of a text, at their places in the section. */
export function partsOfSection(section: string): Part[] {
  if (!hint.test(section)) return []
  const parts: Part[] = []
  /** The open brackets, and how many parts are before each. Those of links before a link are text: no link is in another. */
  const open: { from: number; isImage: boolean; before: number }[] = []
  let openBeforeLink = 0
  const codeEndAfter = codeEndsIn(section)

  function closeBracket(at: number): number {
    const bracket = open.pop()
    const isText = !bracket || (open.length < openBeforeLink && !bracket.isImage)
    openBeforeLink = Math.min(openBeforeLink, open.length)
    const target = isText ? undefined : linkTargetAt(section, at + 1)
    if (isText || !target) return at + 1
    const { from, isImage, before } = bracket
    const { to, destination, title } = target
    parts.length = before
    const label = { from: from + (isImage ? '![' : '[').length, to: at }
    parts.push({ kind: 'link', isImage, from, to, label, destination, title })
    if (!isImage) openBeforeLink = open.length
    return to
  }

  function addAddress(found: string, from: number, isEnclosed: boolean): number {
    const address = isEnclosed ? found : wholeAddress(section, from, from + found.length)
    const to = from + address.length
    const href = hrefOf(address)
    if (href !== undefined) parts.push({ kind: 'address', from, to, href, isEnclosed })
    return Math.max(to, from + 1)
  }

  function addTag(from: number, to: number): number {
    // `(#part)` is a part of a page.
    const isTarget = /[(（]/.test(section.charAt(from - 1)) && /[)）]/.test(section.charAt(to))
    if (!isTarget) parts.push({ kind: 'tag', from, to })
    return to
  }

  function endOf({ 0: token, index, groups = {} }: RegExpExecArray): number {
    const end = index + token.length
    if (groups.opening) open.push({ from: index, isImage: token.length > 1, before: parts.length })
    if (groups.closing) return closeBracket(index)
    if (groups.ticks) return codeEndAfter(end, token.length) ?? end
    if (groups.enclosed) return addAddress(token.slice(1, -1), index + 1, true)
    if (groups.address) return addAddress(token, index, false)
    return groups.tag ? addTag(index, end) : end
  }

  tokens.lastIndex = 0
  for (let found = tokens.exec(section); found; found = tokens.exec(section)) tokens.lastIndex = endOf(found)
  return parts
}
