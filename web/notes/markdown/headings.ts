import type { SyntaxNode } from '@lezer/common'
import { noteParser } from './note-parser.ts'
import { plainText } from './plain-text.ts'

export type Heading = { level: number; title: string; from: number }

/** The level of a heading from 1 to 6. Headings in quotes and lists have no section and no level. */
export const headingLevelOf = ({ name, parent }: SyntaxNode): number | undefined =>
  (parent?.name === 'Document' && Number(/^(?:ATX|Setext)Heading(\d)$/.exec(name)?.[1])) || undefined

export function headingsOf(text: string): Heading[] {
  const headings: Heading[] = []
  for (let node = noteParser.parse(text).topNode.firstChild; node; node = node.nextSibling) {
    const level = headingLevelOf(node)
    const line = text.slice(node.from, node.to).replace(/\n[ >]*(?:=+|-+)\s*$/, '')
    const title = level ? plainText(line) : ''
    if (level && title) headings.push({ level, title, from: node.from })
  }
  return headings
}

const fewestHeadings = 3

/** Whether a text may have so many headings, without parsing it. */
export const mayHaveOutline = (text: string): boolean =>
  (text.match(/^ {0,3}(?:#{1,6} |=+\s*$|-+\s*$)/gm)?.length ?? 0) >= fewestHeadings
