import { isBlank } from '#contract/blank.ts'
import { hashedId } from '#contract/hashed-id.ts'
import { titleLength } from '#contract/limits.ts'
import { tagCharacters } from '#contract/tag-pattern.ts'
import { foldedTags, isTag, tagsIn } from '#contract/tags.ts'
import type { ImportedNote, ImportedRow } from '../../engine/imported.ts'
import { remark, stored } from './remarks.ts'
import type { SourceTask } from './source-items.ts'

/** Whether a text has more characters than `max`. */
export function isLonger(text: string, max: number): boolean {
  return text.length > max && endOf(text, 0, max) < text.length
}

/** Returns the pieces of a text, each of at most `max` characters and, where it is possible, of whole lines. */
export function piecesOf(text: string, max: number): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    let end = endOf(text, from, max)
    if (end < text.length) {
      const [line, space] = ['\n', ' '].map((each) => text.lastIndexOf(each, end - 1))
      const half = from + (end - from) / 2
      if (Number(line) > half) end = Number(line) + 1
      else if (Number(space) > half) end = Number(space) + 1
    }
    pieces.push(text.slice(from, end))
    from = end
  }
  return pieces
}

/** The index after as many characters, counted as Unicode does, or the end of the text. */
function endOf(text: string, from: number, characters: number): number {
  let end = from
  for (let count = 0; count < characters && end < text.length; count++)
    end += Number(text.codePointAt(end)) > 0xffff ? 2 : 1
  return end
}

/** Returns the beginning of a text, with a sign that it goes on. */
export const cutTo = (text: string, max: number): string =>
  isLonger(text, max) ? `${text.slice(0, endOf(text, 0, max - 1)).trimEnd()}…` : text

/** What an item has in common with the notes that have the rest of its text. */
export type Frame = Pick<ImportedNote, 'list' | 'tags' | 'createdAt'>

/** The room for the link from a piece of a text to the next one. */
const roomForLink = titleLength.max + 100

/** Returns a text that is too long as its beginning, with a link to the notes that have the rest, and these notes. */
export function splitText(
  text: string,
  max: number,
  title: string,
  at: ImportedRow,
  id: string,
  frame: Frame,
): { text: string; rest: ImportedNote[] } {
  if (!isLonger(text, max)) return { text, rest: [] }
  const pieces = piecesOf(text, max - roomForLink)
  remark(at, 'text-split', pieces.length - 1, max)
  const names = pieces.map((_, index) => `${cutTo(title, 100)} (${index + 1})`)
  const ids = pieces.map((_, index) => hashedId(`${id}\n${index}`))
  const [first = '', ...others] = pieces.map((piece, index) =>
    index === pieces.length - 1
      ? piece
      : `${piece.trimEnd()}\n\n[${escaped(names[index + 1] ?? '')}](note:${ids[index + 1]})`,
  )
  const rest = others.map((piece, index) => ({
    ...{ _id: ids[index + 1] as string, text: `# ${names[index + 1]}\n\n${piece}`, pinned: false },
    ...{ ...frame, changedAt: frame.createdAt, deletedAt: null },
  }))
  return { text: first, rest }
}

const escaped = (text: string) => text.replace(/[[\]\\]/g, '\\$&')

/** How deep checkboxes are shown inside each other. */
const shownDepth = 8

/** Returns what of a task becomes text: its own body first, then its checklist, attachments and comments. */
export function fittedTexts(task: SourceTask): string[] {
  const { row: at, attachments = [], comments = [], checklist = [] } = task
  const boxes = checklist.map(({ text, isDone }) => checkbox(text, isDone, 0))
  for (const name of attachments) remark(at, 'attachment-left-out', cutTo(name, 100))
  const said = comments.map(({ heading, text }) => (heading ? `**${heading}**\n\n${text}` : text))
  return [
    task.body?.trimEnd() ?? '',
    boxes.join('\n'),
    attachments.map((name) => `Attachment: ${name}`).join('\n'),
    said.length > 0 ? ['## Comments', ...said].join('\n\n') : '',
  ].map((text) => stored(text, at))
}

/** Returns a task that is a part of another one as a checkbox of its body. */
export function partOf(task: SourceTask, depth: number): string {
  const at = task.row
  const { dueDate, dueTime, dueText, repeat } = task
  const said = [[dueDate, dueTime].filter(Boolean).join(' ') || dueText, repeat].filter(Boolean).join(', ')
  if (said !== '') remark(at, 'day-of-part', cutTo(said, 100))
  if (task.priority === 'high') remark(at, 'value-left-out', 'priority', 'high')
  for (const reminder of new Set(task.reminders)) remark(at, 'reminder-left-out', cutTo(reminder, 100))
  const tags = (task.tags ?? []).flatMap((name) => tagOf(name) ?? [])
  const shown = [task.title, ...(said === '' ? [] : [`(${said})`]), ...tags].join(' ')
  const words = stored(shown, at).replace(/\s+/g, ' ').trim()
  const level = Math.min(depth, shownDepth)
  const inside = '  '.repeat(level + 1)
  const texts = [...fittedTexts(task), ...(task.lines ?? [])].filter((text) => !isBlank(text))
  const rest = texts.map((text) =>
    text
      .split('\n')
      .map((line) => (line === '' ? '' : inside + line))
      .join('\n'),
  )
  return [checkbox(words, Boolean(task.isDone || task.doneAt), level), ...rest].join('\n')
}

const checkbox = (text: string, isDone: boolean, depth: number) =>
  `${'  '.repeat(depth)}- [${isDone ? 'x' : ' '}] ${text.replace(/(?<!\s)\s*\n\s*/g, ' ')}`

const notInTags = new RegExp(`[^${tagCharacters}/]+`, 'gu')

/** Returns the tag for the name of a project, a list or a label, such as `#Home-office`, or undefined if it has no letter or digit. */
export function tagOf(name: string): string | undefined {
  const words = name
    .slice(0, 100)
    .toWellFormed()
    .replace(notInTags, '-')
    .replace(/-*\/[-/]*/g, '/')
    .replace(/^[-/]+|[-/]+$/g, '')
  const tag = `#${words}`
  if (isTag(tag)) return tag
  const numbered = `#list-${words}`
  return words !== '' && isTag(numbered) ? numbered : undefined
}

/** The room that every text of an import leaves for its tags. */
export const roomForTags = 2000

/** Returns those tags that a text does not have yet, in one line. */
export function missingTags(text: string, tags: readonly string[]): string {
  const found = new Set(foldedTags(tagsIn(text)))
  let line = ''
  for (const tag of tags) {
    const [folded = ''] = foldedTags([{ text: tag, from: 0, to: tag.length }])
    if (found.has(folded) || line.length + tag.length >= roomForTags - 2) continue
    found.add(folded)
    line += line === '' ? tag : ` ${tag}`
  }
  return line
}

/** Returns a text with a last line of those tags that it does not have yet. */
export function withTags(text: string, tags: readonly string[]): string {
  const line = missingTags(text, tags)
  return text === '' || line === '' ? text + line : `${text}\n\n${line}`
}
