/** The longest title of a task, in code points, is longer than any line that is one. */
const mark = /^(\s*(?:(?:[-*+]|\d{1,9}[.)]|>)\s+)*)(?:\[[ xX]\]\s+)?(?:#{1,6}\s+)?/

/** A line of a note as a task: what precedes its text stays in the note, and the text is the task's title. */
export function taskOfLine(line: string): { before: string; title: string } | undefined {
  const [whole, before = ''] = mark.exec(line) ?? ['']
  const title = line.slice(whole.length).trim()
  return title === '' ? undefined : { before, title }
}

/** A link as Markdown, whatever the title contains. */
export const linkTo = (title: string, destination: string): string =>
  `[${title.replace(/[[\]\\]/g, '\\$&')}](${destination})`
