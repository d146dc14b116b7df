/** `list`: the same object for items of one list. */
export type PastedItem = { kind: 'item'; mark: string; list: object; checked?: boolean | undefined }
type Quote = { kind: 'quote' }
export type Container = PastedItem | Quote

type Content =
  | { kind: 'paragraph'; text: Character[] }
  | { kind: 'heading'; level: number; text: Character[] }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'table'; rows: Character[][][] }
  | { kind: 'rule' }

/** `path`: the quotes and list items around it, outermost first. */
export type Block = Content & { path: Container[] }

/** The formats of a character, as bits. */
export const bold = 1
export const italic = 2
export const struck = 4
export const code = 8
export const linked = 16

/** A bare link is written as its address, because its text is the address and the parser finds it. */
export type PastedLink = { address: string; isBare: boolean }

/** `unit`: a UTF-16 unit. `isEscaped`: it has a backslash in Markdown. */
export type Character = { unit: string; formats: number; link?: PastedLink | undefined; isEscaped?: boolean }

export const unformatted = (characters: Character[]) => characters.map(({ unit }) => unit).join('')
