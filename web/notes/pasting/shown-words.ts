import type { Tree } from '@lezer/common'
import { parseSlowly } from '../markdown/parse-slowly.ts'
import { hidden, readBack } from './read-back.ts'

/** Marks at the beginning of a line: plain text has them, formatted text has a list. */
const listMarks =
  /^[^\S\n\r\u2028\u2029]*(?:[-*+o•·●○◦▪■§–]|[üØvq](?=\t)|\(?(?:\d{1,9}|[a-z]|[ivxl]+)[.)])(?=\s)(?:[^\S\n]+\[[ x]\](?=\s))?/gimu

/** Whether the reading view of Markdown holds all words of a plain text. */
export async function holdsWords(markdown: string, plain: string): Promise<boolean> {
  const tree = await parseSlowly(markdown)
  if (!tree) return false
  const counts = new Map<string, number>()
  const words = wordsOf(`${shownIn(markdown, readBack(tree, markdown))}\n${namesIn(markdown, tree)}`)
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return wordsOf(plain.replace(listMarks, '')).every((word) => {
    const count = counts.get(word) ?? 0
    counts.set(word, count - 1)
    return count > 0
  })
}

function shownIn(markdown: string, seen: Uint8Array): string {
  let shown = ''
  for (let index = 0; index < markdown.length; index++) {
    const unit = markdown.charAt(index)
    if (!((seen[index] as number) & hidden)) shown += unit
    // Between the cells of a table.
    else if (unit === '|') shown += ' '
  }
  return shown
}

/** The addresses of links and the languages of code: some programs have them in the plain text. */
function namesIn(markdown: string, tree: Tree): string {
  const names: string[] = []
  tree.iterate({
    enter({ name, from, to, node }) {
      const isHidden = name === 'CodeInfo' || (name === 'URL' && node.parent?.name === 'Link')
      if (isHidden) names.push(markdown.slice(from, to))
    },
  })
  return names.join('\n')
}

/** Without regard to case: a style sheet can show capitals. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .toUpperCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
