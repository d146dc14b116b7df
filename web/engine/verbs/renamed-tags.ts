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

/** The changes that rename or remove a tag in the titles and bodies of all tasks, as they are now. */
export const changesInTasks = ({ store, tags }: Tagged, tag: string, name: string | undefined) =>
  [...tags.of(tag).ids].flatMap((id) => store.task(id) ?? []).map((task) => renameInTask(task, tag, name))

/** Gives a tag of a task another name in its title and body, or removes it there if there is none. */
export function renameInTask(
  { _id: item, version: base, title, body }: Task,
  tag: string,
  name: string | undefined,
) {
  // A title is never empty.
  const renamed = { title: withRenamed(title, tag, name) || tag.slice(1), body: withRenamed(body, tag, name) }
  return renaming({ item, base, set: differences(renamed, { title, body }) }, tag, name)
}

/** The same in the text of a note, which does not become empty either. */
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
 * The text in which a tag has another name. Without one, a tag at the end of a line is removed, and one within a sentence becomes the
 * word that it is. A tag at the end of a line is removed too if the line has the other name already. An item that has nothing but the
 * tag is removed with its line.
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

/** Nothing if the line is to be removed. */
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

/** A short text that is blank, or of tags only, in the same cases as this one, with any text in front of it. */
function shortened(rest: string): string {
  const word = /^\S*/.exec(rest)?.[0] ?? ''
  const tail = rest.slice(word.length)
  return word.slice(0, 2) + (tail.trim() === '' ? '' : onlyTags.test(tail) ? ' #a' : ' a')
}

const itemMark = /^((?:[ \t]*>)*[ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+\[[ xX]\])?$/

/** Whether a line is the mark of an item, and the next line is not inside the item. */
function isEmptyItem(line: string, next = ''): boolean {
  const [mark, indentation = ''] = itemMark.exec(line) ?? []
  const isInside = next.startsWith(`${indentation} `) || next.startsWith(`${indentation}\t`)
  return mark !== undefined && !isInside
}
