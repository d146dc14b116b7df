/** The format that a button of the toolbar gives to the caret's line or, for a link, to the selection. */
export type Format = 'heading' | 'checkbox' | 'list' | 'link'

const mark = /^(\s*)(#{1,6} |(?:[-*+]|\d{1,9}[.)]) (?:\[[ xX]\] )?)?/

const marks = { heading: '## ', checkbox: '- [ ] ', list: '- ' }

/** The mark that a line begins with and the one that replaces it: none, if the line has this format already. */
export function lineMark(line: string, format: Exclude<Format, 'link'>): { before: string; after: string } {
  const [before = '', indentation = '', old = ''] = mark.exec(line) ?? []
  const has = old.startsWith('#')
    ? 'heading'
    : old.includes('[')
      ? 'checkbox'
      : old === ''
        ? undefined
        : 'list'
  return { before, after: indentation + (has === format ? '' : marks[format]) }
}

/** A link with these words, whose address is typed next; without words, they are typed first. */
export const linkAround = (words: string) => `[${words}]()`
