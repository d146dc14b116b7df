/** Other quotation marks, apostrophes and dashes. The characters of each text are typed and searched as its key. */
const punctuation = {
  "'": '‘’‚‛‹›′ʼʻ՚׳',
  '"': '“”„‟«»〝〞〟״',
  '-': '‐‒–—―−⸺⸻־֊',
}

/** Letters that NFKD does not split into a base letter and a mark, in lower case. */
const plain: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(punctuation).flatMap(([plain, others]) => [...others].map((other) => [other, plain])),
  ),
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  þ: 'th',
  ı: 'i',
  // JavaScript writes the last sigma of a word in lower case as ς, so that ΟΔΟΣ would not be in ΟΔΟΣΑΣ.
  ς: 'σ',
}
const special = new RegExp(`[${Object.keys(plain).join('')}]`, 'g')

/**
 * Characters that a search ignores, so that a word is found with and without them. They are accents, points, and characters
 * that show nothing, such as soft hyphens, spaces of no width and fillers. They include joiners, because many people leave
 * joiners out of Persian and Indic texts. The parts of an emoji that joiners join are found as a whole (`find-words.ts`). The
 * vowel signs of Indic scripts are letters to their readers and stay.
 */
const ignored =
  /[\p{Script=Inherited}\p{Default_Ignorable_Code_Point}[[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Cyrillic}]&&\p{M}]]/gv

export const ascii = /^[\0-\x7f]*$/

/** Characters that NFKD sorts by their class: combining marks, and two letters of half width that become one. */
export const mark = String.raw`[\p{M}\uFF9E\uFF9F]`

/**
 * The marks of a character after the first 30. NFKD takes quadratic time to sort marks, and no language writes 30 on a
 * character (UAX #15, stream-safe text format).
 */
const surplusMarks = new RegExp(`(${mark}{30})${mark}+`, 'gu')

/** U+FDFA is the only character whose folded text would have more than six times its bytes, namely eleven times. */
const longest = /\uFDFA+/g

/** NFKD makes a space and a mark of the accent that is typed as an apostrophe, and two of the sign of inches. */
const [acute, inches] = [/´/g, /″/g]

/** The text without case, accents and other forms of the same characters: `Ärger` and `ARGER` are `arger`, `①` is `1`, `’` is `'`. */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text
    .replace(surplusMarks, '$1')
    .replace(longest, ' ')
    .replace(acute, "'")
    .replace(inches, '"')
    .normalize('NFKD')
    .replace(ignored, '')
    .toLowerCase()
    .replace(special, (letter) => plain[letter] as string)
}

/** The text that searches look in. A word of a query contains no line break, so it is in one of the texts. */
export const foldedTexts = ([title, ...texts]: (string | null)[]): string =>
  fold(`${title}\n${texts.filter((text) => text).join('\n')}`)
