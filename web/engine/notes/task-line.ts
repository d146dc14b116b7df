import { isBlank } from '#contract/blank.ts'
import { itemLinks } from '../item-links.ts'

/** The longest title of a task, in code points, is longer than any line that is one. */
const mark = /^(\s*(?:(?:[-*+]|\d{1,9}[.)]|>)\s+)*)(?:\[([ xX])\]\s+)?(?:#{1,6}\s+)?/

/**
 * A line of a note as a task. Its text is the title of the task, and the task is done if its box is ticked. The marks before
 * the text stay in the note.
 */
export function taskOfLine(line: string): { before: string; title: string; isDone: boolean } | undefined {
  const [whole, before = '', tick = ' '] = mark.exec(line) ?? ['']
  const title = line.slice(whole.length).trim()
  return isBlank(title) ? undefined : { before, title, isDone: tick !== ' ' }
}

const firstLink = (line: string) => itemLinks('task', line).next().value

/** The id of the task that a line links to, if it links to one. */
export const taskLinkIn = (line: string): string | undefined => firstLink(line)?.id.toLowerCase()

/** The line with the title of its link to a task in place of the link. */
export function withoutTaskLink(line: string): string {
  const link = firstLink(line)
  return link ? line.slice(0, link.start) + link.title + line.slice(link.end) : line
}

/** A link as Markdown, with the characters of the title escaped that could end the link or begin code or HTML. */
export const linkTo = (title: string, destination: string): string =>
  `[${title.replace(/[[\]\\`<]/g, '\\$&')}](${destination})`
