import { isBlank } from '#contract/blank.ts'
import { unescaped } from '#contract/link-target.ts'
import { summaryOf } from '#contract/note-summary.ts'
import { partsOf } from '#contract/text-parts.ts'

/** A line of Markdown without marks, and links as their labels. Characters like those in `2 * 3` or `snake_case` stay. */
export function plainText(markdown: string): string {
  const cells = belowTableHead.test(markdown)
    ? markdown.replace(belowTableHead, ' ').replaceAll('|', ' ')
    : markdown
  const plain = marks.reduce((text, [mark, meaning]) => text.replace(mark, meaning), withLabels(cells))
  const [listMark] = /^[-*+](?= (?!\[[ xX]\]))/.exec(markdown) ?? []
  return (listMark ? plain.replaceAll(` ${listMark} `, ' ') : plain).replaceAll(/\s+/g, ' ').trim()
}

function withLabels(text: string): string {
  let [shown, last] = ['', 0]
  for (const part of partsOf(text)) {
    if (part.kind !== 'link') continue
    shown += text.slice(last, part.from) + unescaped(text.slice(part.label.from, part.label.to))
    last = part.to
  }
  return shown + text.slice(last)
}

export const shownTitle = (title: string): string =>
  [plainText(title), title].find((text) => !isBlank(text)) ?? 'Untitled'

export const titleOfText = (text: string): string => shownTitle(summaryOf(text).title)

const belowTableHead = /\|(?: ?:?-+:? ?\|)+/

// Each repetition is bounded, or ends at a character that it does not contain, so that matching takes linear time.
const marks: [RegExp, string][] = [
  // A checkbox or a heading, also in the middle, because the line can be several joined ones.
  [/(^| )(?:[-*+]|\d{1,9}[.)]) \[[ xX]\](?= |$)/g, '$1'],
  [/(^| )#{1,6}(?= )/g, '$1'],
  [/(^| )(?:```|~~~)[\w+-]*(?= |$)/g, '$1'],
  [/\[\[([^[\]|\n]{1,100})\]\]/g, '$1'],
  [/^(?:> ?)+/, ''],
  [/^[-*+] /, ''],
  [/`([^`]+)`/g, '$1'],
  [/\*\*(\S[^*]*)\*\*/g, '$1'],
  [/~~(\S[^~]*)~~/g, '$1'],
  [/(^|[\s(])\*([^\s*][^*]*)\*(?=$|[\s).,;:!?])/g, '$1$2'],
  [/(^|[\s(])__?([^\s_][^_]*)__?(?=$|[\s).,;:!?])/g, '$1$2'],
  // The second mark of a shortened text, or the first mark of an excerpt, can be missing.
  [/(^| )(?:\*\*|~~)(?=\S)/g, '$1'],
  [/(\S)(?:\*\*|~~)(?=[\s).,;:!?]|$)/g, '$1'],
]
