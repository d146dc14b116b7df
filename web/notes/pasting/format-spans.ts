import { bold, type Character, linked } from './blocks.ts'

export function spanAt(characters: Character[], place: number, format: number): [from: number, to: number] {
  const link = characters[place]?.link
  const isInSpan = (character: Character | undefined) =>
    character !== undefined && (format === linked ? character.link === link : character.formats & format)
  let [from, to] = [place, place + 1]
  while (isInSpan(characters[from - 1])) from--
  while (isInSpan(characters[to])) to++
  return [from, to]
}

export function removeFormat(characters: Character[], from: number, to: number, format: number) {
  for (const character of characters.slice(from, to)) {
    character.formats &= ~format
    if (format === linked) character.link = undefined
  }
}

export function trimFormat(
  characters: Character[],
  [from, to]: [number, number],
  format: number,
  ends: RegExp,
) {
  let [start, end] = [from, to]
  while (start < end && ends.test(characters[start]?.unit ?? '')) start++
  while (end > start && ends.test(characters[end - 1]?.unit ?? '')) end--
  removeFormat(characters, from, start, format)
  removeFormat(characters, end, to, format)
}

export function endOfStretch(characters: Character[], index: number): number {
  const { formats, link } = characters[index] as Character
  let end = index + 1
  while (characters[end]?.formats === formats && characters[end]?.link === link) end++
  return end
}

/** Visits the spans of a format in order. The visitor may change them. */
export function forEachSpan(characters: Character[], format: number, act: (span: [number, number]) => void) {
  for (let index = 0; index < characters.length; index++) {
    const { formats: own, link } = characters[index] as Character
    if (format === linked ? !link : !(own & format)) continue
    const span = spanAt(characters, index, format)
    act(span)
    index = span[1] - 1
  }
}

export const inOneLine = (text: Character[]): Character[] =>
  text.map((character) => (character.unit === '\n' ? { ...character, unit: ' ' } : character))

/** Headings and heads of tables that are bold as a whole are not marked. */
export const withoutWholeBold = (text: Character[]): Character[] =>
  text.every(({ unit, formats }) => formats & bold || /\s/.test(unit))
    ? text.map((character) => ({ ...character, formats: character.formats & ~bold }))
    : text
