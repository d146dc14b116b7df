import type { Character } from './formatted-text.ts'

/** A list item around blocks. `list`: the same for items next to each other. */
export type PastedItem = { kind: 'item'; mark: string; list: object; checked?: boolean | undefined }
type Quote = { kind: 'quote' }
export type Container = PastedItem | Quote

type Content =
  | { kind: 'paragraph'; text: Character[] }
  | { kind: 'heading'; level: number; text: Character[] }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'table'; rows: Character[][][] }
  | { kind: 'rule' }

/** A block without blocks in it, and the quotes and list items around it, the outermost first. */
export type Block = Content & { path: Container[] }
