import type { Range } from '#contract/ranges.ts'
import { sectionsOf } from '#contract/sections.ts'
import { codeEndsIn, partsOfSection } from '#contract/text-parts.ts'
import { applyChanges } from '../../engine/notes/line-changes.ts'
import { linkTo } from '../../engine/notes/task-line.ts'

export type WrittenTitle = Range & { title: string }

export type IdOfTitle = (title: string) => string | undefined

const token = /`+|\\[^\n]|\[\[[^[\]|\n]{1,100}\]\](?!\()/g

export function titlesIn(text: string): WrittenTitle[] {
  if (!text.includes('[[')) return []
  return sectionsOf(text).flatMap(({ from, text: section, isCode }) =>
    isCode || !section.includes('[[') ? [] : titlesOfSection(section, from),
  )
}

function titlesOfSection(section: string, start: number): WrittenTitle[] {
  const found: WrittenTitle[] = []
  const codeEndAfter = codeEndsIn(section)
  const links = partsOfSection(section).filter(({ kind }) => kind === 'link')
  let next = 0
  token.lastIndex = 0
  for (let match = token.exec(section); match; match = token.exec(section)) {
    const { 0: written, index: from } = match
    const to = from + written.length
    if (written.startsWith('`')) token.lastIndex = codeEndAfter(to, written.length) ?? to
    if (!written.startsWith('[[')) continue
    while ((links[next]?.to ?? to) < to) next++
    const title = titleIn(written)
    const isInLink = (links[next]?.from ?? to) < from
    if (title !== '' && !isInLink) found.push({ from: start + from, to: start + to, title })
  }
  return found
}

export const titleIn = (brackets: string) => brackets.slice(2, -2).trim()

export const linkToTitled = (title: string, id: string) => linkTo(title, `note:${id}`)

/** Replaces the titles of existing notes by links, which follow when a note is renamed. */
export function withTitleLinks(text: string, idOf: IdOfTitle): string {
  const changes = titlesIn(text).flatMap(({ from, to, title }) => {
    const id = idOf(title)
    return id === undefined ? [] : { from, to, insert: linkToTitled(title, id) }
  })
  return applyChanges(text, changes)
}
