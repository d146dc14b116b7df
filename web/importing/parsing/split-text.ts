import { hashedId } from '#contract/hashed-id.ts'
import { titleLength } from '#contract/limits.ts'
import { cutTo, isLonger, piecesOf } from './fitted-text.ts'
import type { ImportedNote, ImportedRow } from './imported.ts'
import { remark } from './remarks.ts'

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
