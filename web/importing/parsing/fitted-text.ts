import { isBlank } from '#contract/blank.ts'
import { hashedId } from '#contract/hashed-id.ts'
import { bodyLength, noteLength, titleLength } from '#contract/limits.ts'
import { tagCharacters } from '#contract/tag-pattern.ts'
import { foldedTags, isTag, tagsIn } from '#contract/tags.ts'
import type { ImportedRow, SourceItem } from '../../engine/imported.ts'
import { remark, stored } from './remarks.ts'

export function isLonger(text: string, max: number): boolean {
  return text.length > max && endOf(text, 0, max) < text.length
}

/** Returns the pieces of a text, each of at most `max` characters and, where it is possible, of whole lines. */
export function piecesOf(text: string, max: number): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    let end = endOf(text, from, max)
    if (end < text.length) {
      const half = from + (end - from) / 2
      const ends = ['\n', ' '].map((each) => text.lastIndexOf(each, end - 1) + 1)
      end = ends.find((each) => each > half + 1) ?? end
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

/** The room for the link from a piece of a text to the next one. */
const roomForLink = titleLength.max + 100

/**
 * Returns the beginning of a text that is too long, with a link to the notes that have the rest, these notes, and the values that they
 * have in common with their item. `until`: when it was created, if its source does not say so.
 */
export function splitText(item: SourceItem, id: string, text: string, title: string, until: string) {
  const tags = (item.tags ?? []).map((tag) => tag.trim().replace(/^[#@]/, '')).filter(Boolean)
  const frame = { list: item.list?.trim() || null, tags, createdAt: item.createdAt ?? until }
  const { max } = item.kind === 'note' ? noteLength : bodyLength
  const most = max - (frame.list === null && tags.length === 0 ? 0 : roomForTags)
  if (!isLonger(text, most)) return { first: text, rest: [], frame }
  const pieces = piecesOf(text, most - roomForLink).map((piece, index) => ({
    ...{ piece, _id: hashedId(`${id}\n${index}`), name: `${cutTo(title, 100)} (${index + 1})` },
  }))
  remark(item.row, 'text-split', pieces.length - 1, most)
  const [first = '', ...others] = pieces.map(({ piece }, index) => {
    const next = pieces[index + 1]
    return next ? `${piece.trimEnd()}\n\n[${escaped(next.name)}](note:${next._id})` : piece
  })
  const rest = pieces.slice(1).map(({ _id, name }, index) => ({
    ...{ _id, text: `# ${name}\n\n${others[index]}`, pinned: false },
    ...{ ...frame, changedAt: frame.createdAt, deletedAt: null },
  }))
  return { first, rest, frame }
}

export const escaped = (text: string) => text.replace(/[[\]\\]/g, '\\$&')

export const asLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const shownDepth = 8

/** Texts with an empty line between them, without those that are blank. */
export const paragraphs = (texts: string[]): string => texts.filter((text) => !isBlank(text)).join('\n\n')

/** Says what is left out of an item, and returns its place in the text. */
export function attached(names: string[], at: ImportedRow): string {
  for (const name of names) remark(at, 'attachment-left-out', cutTo(name, 100))
  return names.map((name) => `Attachment: ${name}`).join('\n')
}

/** Returns what of a task becomes text: its own body first, then its checklist, attachments and comments. */
export function fittedTexts({ row: at, body = '', ...task }: SourceItem): string[] {
  const { attachments = [], comments = [], checklist = [] } = task
  const boxes = checklist.map(({ text, isDone }) => checkbox(text, isDone))
  const said = comments.map(({ heading, text }) => (heading ? `**${heading}**\n\n${text}` : text))
  return [
    ...[body.trimEnd(), boxes.join('\n'), attached(attachments, at)],
    said.length > 0 ? ['## Comments', ...said].join('\n\n') : '',
  ].map((text) => stored(text, at))
}

/** Returns a task that is a part of another one as a checkbox of its body. */
export function partOf(task: SourceItem, depth: number): string {
  const { row: at, title = '', due, repeat, tags = [], lines = [] } = task
  const day = typeof due === 'string' ? due : [due?.day, due?.time].filter(Boolean).join(' ')
  const said = [day, repeat].filter(Boolean).join(', ')
  if (said !== '') remark(at, 'day-of-part', cutTo(said, 100))
  if (task.priority === 'high') remark(at, 'value-left-out', 'priority', 'high')
  for (const reminder of new Set(task.reminders)) remark(at, 'reminder-left-out', cutTo(reminder, 100))
  const shown = [title, ...(said === '' ? [] : [`(${said})`]), ...tags.flatMap((name) => tagOf(name) ?? [])]
  const words = asLine(stored(shown.join(' '), at))
  const level = Math.min(depth, shownDepth)
  const rest = [...fittedTexts(task), ...lines].filter((text) => !isBlank(text))
  const inside = '  '.repeat(level + 1)
  return [
    '  '.repeat(level) + checkbox(words, Boolean(task.done)),
    ...rest.map((text) => text.replace(/(^|\n)(?=[^\n])/g, `$1${inside}`)),
  ].join('\n')
}

export const checkbox = (text: string, isDone: boolean) =>
  `- [${isDone ? 'x' : ' '}] ${text.replace(/(?<!\s)\s*\n\s*/g, ' ')}`

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

export function withTags(text: string, tags: readonly string[]): string {
  const line = missingTags(text, tags)
  return text === '' || line === '' ? text + line : `${text}\n\n${line}`
}
