import { addressPattern, enclosedPattern, hrefOf } from './addresses.ts'
import { linkTargetAt } from './link-target.ts'
import type { Range } from './ranges.ts'
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
  for (const { from, text: section, isCode } of sectionsOf(text))
    for (const part of partsOfSection(section, from)) if (!isCode || part.kind !== 'tag') yield part
}

/** The parts of one section of a text, which begins at an index of the text. */
export function partsOfSection(section: string, start = 0): Part[] {
  if (!hint.test(section)) return []
  const parts: Part[] = []
  /** The open brackets, and how many parts are before each. Those of links before a link are text: no link is in another. */
  const open: { from: number; isImage: boolean; before: number }[] = []
  let openBeforeLink = 0
  const codeEndAfter = codeEndsIn(section)
  const range = (from: number, to: number): Range => ({ from: start + from, to: start + to })

  /** Returns where the link ends whose label ends at a bracket, or where the bracket ends. */
  function closeBracket(at: number): number {
    const bracket = open.pop()
    const mayBeLink = bracket && (bracket.isImage || open.length >= openBeforeLink)
    openBeforeLink = Math.min(openBeforeLink, open.length)
    const target = mayBeLink && linkTargetAt(section, at + 1)
    if (!target) return at + 1
    const { from, isImage, before } = bracket
    const { to, destination, title } = target
    parts.length = before
    parts.push({
      ...{ kind: 'link', isImage, ...range(from, to) },
      label: range(from + (isImage ? '!['.length : 1), at),
      destination: range(destination.from, destination.to),
      title: title && range(title.from, title.to),
    })
    if (!isImage) openBeforeLink = open.length
    return to
  }

  tokens.lastIndex = 0
  for (let found = tokens.exec(section); found; found = tokens.exec(section)) {
    const { 0: token, index, groups: { opening, closing, ticks, enclosed, address, tag } = {} } = found
    const end = index + token.length
    // `(#part)` is a part of a page.
    const isTarget = /[(（]/.test(section.charAt(index - 1)) && /[)）]/.test(section.charAt(end))
    if (opening) open.push({ from: index, isImage: token.length > 1, before: parts.length })
    else if (closing) tokens.lastIndex = closeBracket(index)
    else if (ticks) tokens.lastIndex = codeEndAfter(end, token.length) ?? end
    else if (tag && !isTarget) parts.push({ kind: 'tag', ...range(index, end) })
    else if (address || enclosed) {
      const marks = enclosed ? 1 : 0
      const href = hrefOf(address ?? token.slice(1, -1))
      const place = range(index + marks, end - marks)
      if (href !== undefined) parts.push({ kind: 'address', ...place, href, isEnclosed: marks > 0 })
    }
  }
  return parts
}

/**
 * Returns the function that finds the end of inline code that begins with a run of backticks: after the next run of as many.
 * It is called for one run after another, so it reads the text once.
 */
export function codeEndsIn(text: string): (from: number, ticks: number) => number | undefined {
  const runs = Map.groupBy([...text.matchAll(/`+/g)].reverse(), ([run]) => run.length)
  return (from, ticks) => {
    const next = runs.get(ticks) ?? []
    while (Number(next.at(-1)?.index) < from) next.pop()
    const run = next.at(-1)
    return run && run.index + ticks
  }
}
