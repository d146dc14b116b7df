import { hashedId } from '#contract/hashed-id.ts'
import { titleLength } from '#contract/limits.ts'
import type { ImportedNote, ImportedRow } from './imported.ts'
import { remark } from './remarks.ts'

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
  remark(at, 'text-split', { parts: pieces.length - 1, max })
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
