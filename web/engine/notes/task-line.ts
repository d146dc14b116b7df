import { isBlank } from '#contract/blank.ts'
import { itemLinks } from '../item-links.ts'

const mark = /^(\s*(?:(?:[-*+]|\d{1,9}[.)]|>)\s+)*)(?:\[([ xX])\]\s+)?(?:#{1,6}\s+)?/

/** A line of a note as a task. `before`: the marks, which stay in the note. `isDone`: its box is ticked. */
export function taskOfLine(line: string): { before: string; title: string; isDone: boolean } | undefined {
  const [whole, before = '', tick = ' '] = mark.exec(line) ?? ['']
  const title = line.slice(whole.length).trim()
  return isBlank(title) ? undefined : { before, title, isDone: tick !== ' ' }
}

const firstLink = (line: string) => itemLinks('task', line).next().value

export const taskLinkIn = (line: string): string | undefined => firstLink(line)?.id.toLowerCase()

/** The line with the link to its task replaced by the title. */
export function withoutTaskLink(line: string): string {
  const link = firstLink(line)
  return link ? line.slice(0, link.start) + link.title + line.slice(link.end) : line
}

/** A Markdown link. Characters of the title that could end the link, or begin code or HTML, are escaped. */
export const linkTo = (title: string, destination: string): string =>
  `[${title.replace(/[[\]\\`<]/g, '\\$&')}](${destination})`
