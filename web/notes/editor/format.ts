export type LineFormat = 'heading' | 'checkbox' | 'list'

export type Format = LineFormat | 'table' | 'indent' | 'outdent' | 'link' | 'undo'

const mark = /^(\s*)(#{1,6} |(?:[-*+]|\d{1,9}[.)]) (?:\[[ xX]\] )?)?/

const marks = { heading: '## ', checkbox: '- [ ] ', list: '- ' }

/** The present and the new mark of each line. If all lines have this format, it is removed. Among several lines, blank ones stay. */
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

/** A link whose address is typed next. Without words, these are typed first. */
export const linkAround = (words: string) => `[${words}]()`
