import { fold } from '#contract/folding.ts'
import type { Note } from '#contract/notes.ts'
import type { Range } from '#contract/ranges.ts'
import { foldedTags, tagsIn } from '#contract/tags.ts'
import type { Task } from '#contract/tasks.ts'
import { differences } from '../entry.ts'
import type { Store } from '../store/store.ts'
import type { Tags } from '../store/tags-in-use.ts'
import { removeTag, renameTag } from './tags.ts'

type Tagged = { store: Store; tags: Tags }

export const changesInTasks = ({ store, tags }: Tagged, tag: string, name: string | undefined) =>
  [...tags.of(tag).ids].flatMap((id) => store.task(id) ?? []).map((task) => renameInTask(task, tag, name))

export function renameInTask(
  { _id: item, version: base, title, body }: Task,
  tag: string,
  name: string | undefined,
) {
  // A title must not become empty.
  const renamed = { title: withRenamed(title, tag, name) || tag.slice(1), body: withRenamed(body, tag, name) }
  return renaming({ item, base, set: differences(renamed, { title, body }) }, tag, name)
}

export const renameInNote = (
  { _id: item, version: base, text }: Note,
  tag: string,
  name: string | undefined,
) =>
  renaming(
    { item, kind: 'note', base, set: { text: withRenamed(text, tag, name) || tag.slice(1) } },
    tag,
    name,
  )

const renaming = (texts: Parameters<typeof removeTag.make>[0], tag: string, name: string | undefined) =>
  name === undefined ? removeTag.make(texts, tag) : renameTag.make(texts, tag, name)

/**
 * Renames a tag. If the name is missing or is in the line already, a tag at its end is removed, and an item with nothing else. A removed
 * tag within a sentence becomes a word.
 */
export function withRenamed(text: string, tag: string, name: string | undefined): string {
  const tags = tagsIn(text)
  const folded = foldedTags(tags)
  const [old, other] = [fold(tag), name === undefined ? undefined : fold(name)]
  const made: string[] = []
  let isEndRemoved = false
  let begin = text.length + 1
  for (const line of text.split('\n').reverse()) {
    begin -= line.length + 1
    const inLine: Range[] = []
    let isNamed = name === undefined
    for (let last = tags.at(-1); last && last.from >= begin; last = tags.at(-1)) {
      const each = folded[tags.length - 1]
      if (each === old) inLine.push({ from: last.from - begin, to: last.to - begin })
      else if (each === other) isNamed = true
      tags.pop()
    }
    const renamed = renamedLine({ line, tags: inLine, name, isNamed, next: made.at(-1) })
    if (renamed !== undefined) made.push(renamed)
    else if (made.length === 0) isEndRemoved = true
  }
  const renamed = made.reverse().join('\n')
  return isEndRemoved && renamed.endsWith('\r') ? renamed.slice(0, -1) : renamed
}

/** `tags`: the last one first. `isNamed`: whether tags at the end are removed. `next`: the line below. */
type Line = {
  line: string
  tags: Range[]
  name: string | undefined
  isNamed: boolean
  next?: string | undefined
}

/** Undefined if the line is to be removed. */
function renamedLine({ line, tags, name, isNamed, next }: Line): string | undefined {
  const pieces: string[] = []
  let rest = ''
  let cut = line.length
  for (const [index, { from, to }] of tags.entries()) {
    pieces.push(line.slice(to, cut))
    rest = shortened(line.slice(to, cut) + rest)
    if (isNamed && onlyTags.test(rest)) {
      cut = from
      while (/[ \t]/.test(line.charAt(cut - 1))) cut--
      if (index === tags.length - 1 && rest === '' && isEmptyItem(line.slice(0, cut), next)) return
    } else {
      const renamed = name ?? line.slice(from + 1, to)
      pieces.push(renamed)
      rest = shortened(renamed + rest)
      cut = from
    }
  }
  const renamed = line.slice(0, cut) + pieces.reverse().join('')
  return cut === 0 ? renamed.replace(/^[ \t]+/, '') : renamed
}

const onlyTags = /^(?:\s+[#＃]\S+)*\s*$/

/** A short text that matches `onlyTags` exactly when this one does, with any text in front of it. */
function shortened(rest: string): string {
  const word = /^\S*/.exec(rest)?.[0] ?? ''
  const tail = rest.slice(word.length)
  return word.slice(0, 2) + (tail.trim() === '' ? '' : onlyTags.test(tail) ? ' #a' : ' a')
}

const itemMark = /^((?:[ \t]*>)*[ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+\[[ xX]\])?$/

/** Whether a line is only the mark of a list item, and the next line does not continue the item. */
function isEmptyItem(line: string, next = ''): boolean {
  const [mark, indentation = ''] = itemMark.exec(line) ?? []
  const isInside = next.startsWith(`${indentation} `) || next.startsWith(`${indentation}\t`)
  return mark !== undefined && !isInside
}
