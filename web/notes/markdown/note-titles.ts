import type { Range } from '#contract/ranges.ts'
import { linkTo } from '../task-line.ts'
import { noteParser } from './note-parser.ts'

/** A title in brackets, `[[Budget]]`: a link to the note that has it. */
export type WrittenTitle = Range & { title: string }

/** Returns the id of the note with a title, if there is one. */
export type IdOfTitle = (title: string) => string | undefined

/** The titles in brackets of a Markdown text, outside of code. */
export function titlesIn(text: string): WrittenTitle[] {
  const found: WrittenTitle[] = []
  if (text.includes('[['))
    noteParser.parse(text).iterate({
      enter({ name, from, to }) {
        if (name === 'NoteTitle') found.push({ from, to, title: titleAt(text, { from, to }) })
      },
    })
  return found
}

/** The title within its brackets. */
export const titleAt = (text: string, { from, to }: Range) => text.slice(from + 2, to - 2).trim()

export const linkToTitled = (title: string, id: string) => linkTo(title, `note:${id}`)

/** The text with links by id in place of titles of notes that exist: these links follow when a note is renamed. */
export const withTitleLinks = (text: string, idOf: IdOfTitle): string =>
  titlesIn(text).reduceRight((linked, { from, to, title }) => {
    const id = idOf(title)
    return id === undefined ? linked : linked.slice(0, from) + linkToTitled(title, id) + linked.slice(to)
  }, text)
