/** A mark that a button of the toolbar gives to the selected lines. */
export type LineFormat = 'heading' | 'checkbox' | 'list'

/** What a button of the toolbar does: to the selected lines, below them, for a link to the selection, or to what was typed last. */
export type Format = LineFormat | 'table' | 'indent' | 'outdent' | 'link' | 'undo'

const mark = /^(\s*)(#{1,6} |(?:[-*+]|\d{1,9}[.)]) (?:\[[ xX]\] )?)?/

const marks = { heading: '## ', checkbox: '- [ ] ', list: '- ' }

/**
 * The mark that each line begins with, and the mark that replaces it. If all lines have this format already, no mark replaces
 * it. Among several lines, blank lines have no mark.
 */
export function lineMarks(lines: string[], format: LineFormat) {
  const marked = lines.map((line) => {
    const [before = '', indentation = '', old = ''] = mark.exec(line) ?? []
    const isLeft = lines.length > 1 && line.trim() === ''
    const isFormatted = formatOf(old) === format
    return { before, indentation, isLeft, isFormatted }
  })
  const isRemoved = marked.every(({ isLeft, isFormatted }) => isLeft || isFormatted)
  return marked.map(({ before, indentation, isLeft, isFormatted }) => {
    const isKept = isLeft || (isFormatted && !isRemoved)
    return { before, after: isKept ? before : indentation + (isRemoved ? '' : marks[format]) }
  })
}

function formatOf(old: string): LineFormat | undefined {
  if (old.startsWith('#')) return 'heading'
  if (old.includes('[')) return 'checkbox'
  return old === '' ? undefined : 'list'
}

/** A link with these words, whose address is typed next; without words, they are typed first. */
export const linkAround = (words: string) => `[${words}]()`
