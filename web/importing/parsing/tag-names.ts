import { tagCharacters } from '#contract/tag-pattern.ts'
import { foldedTags, isTag, tagsIn } from '#contract/tags.ts'

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
