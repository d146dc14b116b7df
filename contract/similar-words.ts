import { foldedTagsIn, isTag } from './tags.ts'

/**
 * Finds words of titles and tags that differ from a word of a query by one letter. The letter is another one, is
 * additional, is missing, or has changed places with its neighbour.
 */

/** They are searched for if fewer tasks and notes than this contain the words of the query. */
export const fewHits = 5

/**
 * A word that may have a wrong letter. A word of fewer letters is compared exactly, because too many other words differ from it
 * by one letter. So is a number.
 */
const mistypable = /^#?\p{L}[\p{L}\p{M}]{5,}$/u

const words = /[\p{L}\p{M}\p{N}_]+/gu

export const isMistypable = (word: string): boolean => mistypable.test(word)

/**
 * Returns the halves of the word, and the word with the two letters in its middle swapped. Each word that differs from this
 * word by one letter contains one of these texts.
 */
export function partsOf(word: string): string[] {
  const letters = [...word.replace('#', '')]
  const middle = letters.length >> 1
  const [before, after] = [letters.slice(0, middle), letters.slice(middle)]
  const swapped = [...before.slice(0, -1), after[0], before.at(-1), ...after.slice(1)]
  return [before, after, swapped].map((part) => part.join(''))
}

/** Whether a word of a text, or its beginning, differs from a word by one letter. */
export function isSimilar(word: string, text: string): boolean {
  let same = 0
  while (same < word.length && word[same] === text[same]) same++
  const [letter, next] = [word[same], word[same + 1]]
  if (letter === undefined) return false
  // If the last letter is another one or too many, the words that only begin so would be too many.
  if (next === undefined) return text.length <= word.length || text[same + 1] === letter
  const isSwapped = text[same] === next && text[same + 1] === letter
  return (
    (isSwapped && text.startsWith(word.slice(same + 2), same + 2)) ||
    (text[same + 1] === next && text.startsWith(word.slice(same + 1), same + 1)) ||
    (text[same + 1] === letter && text.startsWith(word.slice(same), same + 1)) ||
    (text[same] === next && text.startsWith(word.slice(same + 1), same))
  )
}

/**
 * Returns a function that compares a folded text with the query. For each word of the query that the text does not contain, the
 * function finds the similar words of its title. For a tag, it finds the similar tags of the text. It returns undefined if the
 * text contains all words, or if there is no similar word for one of them. `texts`: the texts before they were folded.
 */
export function similarTo(query: readonly string[]) {
  const parts = new Map(query.filter(isMistypable).map((word) => [word, partsOf(word)]))
  const tags = new Set(query.filter(isTag))
  return (folded: string, texts: readonly (string | null)[] = [folded]): string[] | undefined => {
    const isPossible = (word: string) => parts.get(word)?.some((part) => folded.includes(part))
    const absent = query.filter((word) => !folded.includes(word))
    if (!absent.every(isPossible)) return
    // Once for all words: the text may have tens of thousands.
    const tagsOfText = new Set(tags.size > 0 ? foldedTagsIn(texts) : [])
    const missing = query.filter((word) => (tags.has(word) ? !tagsOfText.has(word) : absent.includes(word)))
    if (missing.length === 0 || !missing.every(isPossible)) return
    const title = folded.slice(0, folded.indexOf('\n')).match(words) ?? []
    const similar = missing.map((word) => {
      const others = tags.has(word) ? tagsOfText.values() : title.values()
      return others.find((other) => isSimilar(word, other))
    })
    if (similar.every((word) => word !== undefined)) return similar
  }
}
