import { fold } from '#contract/folding.ts'
import type { Note } from '#contract/notes.ts'
import { tagsIn } from '#contract/tags.ts'
import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../store/pending-change.ts'

/** Gives a tag of a task another name in its title and body, or removes it there if there is none. */
export function renameTag(
  { _id: item, version: base, title, body }: Task,
  tag: string,
  name: string | undefined,
): NewChange & { set: { title?: string; body?: string } } {
  // A title is never empty.
  const renamed = { title: withRenamed(title, tag, name) || tag.slice(1), body: withRenamed(body, tag, name) }
  return {
    ...renaming(tag, name),
    item,
    base,
    set: {
      ...(renamed.title !== title && { title: renamed.title }),
      ...(renamed.body !== body && { body: renamed.body }),
    },
  }
}

/** The same in the text of a note, which does not become empty either. */
export const renameTagInNote = (
  { _id: item, version: base, text }: Note,
  tag: string,
  name: string | undefined,
): NewChange & { set: { text: string } } => ({
  ...renaming(tag, name),
  item,
  kind: 'note',
  base,
  set: { text: withRenamed(text, tag, name) || tag.slice(1) },
})

const renaming = (tag: string, name: string | undefined) =>
  name === undefined
    ? { verb: 'removeTag' as const, to: tag }
    : { verb: 'renameTag' as const, to: name, from: tag }

/**
 * The text in which a tag has another name. Without one, a tag at the end of a line is removed, and one within a sentence becomes the
 * word that it is. A tag at the end of a line is removed too if the line has the other name already. An item that has nothing but the
 * tag is removed with its line.
 */
export function withRenamed(text: string, tag: string, name: string | undefined): string {
  const tags = tagsIn(text)
  const [old, other] = [fold(tag), name === undefined ? undefined : fold(name)]
  const named = other === old ? [] : tags.filter(({ text }) => fold(text) === other)
  return tags
    .filter(({ text }) => fold(text) === old)
    .reduceRight((rest, { from, to }) => {
      const [before, after] = [rest.slice(0, from), rest.slice(to)]
      const [begin, end] = [before.lastIndexOf('\n') + 1, text.indexOf('\n', to)]
      const isNamed = named.some(({ from: at }) => at >= begin && (end < 0 || at < end))
      const isLast = onlyTags.test(/^[^\n]*/.exec(after)?.[0] ?? '')
      if (isLast && (isNamed || name === undefined)) {
        const kept = before.replace(/(?<![ \t])[ \t]+$/, '')
        if (isEmptyItem(kept.slice(begin), after)) return withoutLine(rest, begin, after)
        return kept + (/(?:^|\n)$/.test(kept) ? after.replace(/^[ \t]+/, '') : after)
      }
      return before + (name ?? text.slice(from + 1, to)) + after
    }, text)
}

const onlyTags = /^(?:\s+[#＃]\S+)*\s*$/

const itemMark = /^((?:[ \t]*>)*[ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]+\[[ xX]\])?$/

/** Whether a line ends after the mark of an item, and the next line is not inside the item. */
function isEmptyItem(line: string, after: string): boolean {
  const [mark, indentation = ''] = itemMark.exec(line) ?? []
  const [, rest = '', next = ''] = /^([^\n]*)\n?([^\n]*)/.exec(after) ?? []
  const isInside = next.startsWith(`${indentation} `) || next.startsWith(`${indentation}\t`)
  return mark !== undefined && rest.trim() === '' && !isInside
}

/** The text without the line that begins at a place. `after`: the text from a place in this line on. */
function withoutLine(text: string, begin: number, after: string): string {
  const end = after.indexOf('\n')
  const before = text.slice(0, begin)
  return end < 0 ? before.replace(/\r?\n$/, '') : before + after.slice(end + 1)
}
