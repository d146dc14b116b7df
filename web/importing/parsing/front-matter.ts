type FrontMatter = {
  /** The values of each name, in lower case. */
  values: Map<string, string[]>
  /** The lines of the names that are not wanted. */
  rest: string[]
  /** The text after it. */
  text: string
}

const pair = /^([\p{L}\p{N}_][\p{L}\p{N}_ ?-]{0,60}):(?:\s+(.*))?$/u

/**
 * Reads the names and values before a text in Markdown: `name: value`, `name: [one, two]`, or a list of lines. `isWanted`: which names
 * are read. What is anything else stays in `rest`, so that nothing is lost.
 */
export function frontMatterOf(text: string, isWanted: (name: string) => boolean): FrontMatter {
  const none = { values: new Map<string, string[]>(), rest: [], text }
  const [begin] = /^---[ \t]*\r?\n/.exec(text) ?? []
  const [end] =
    begin === undefined
      ? []
      : (/\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text.slice(begin.length - 1)) ?? [])
  if (begin === undefined || end === undefined) return none
  const from = begin.length - 1
  const to = from + text.slice(from).indexOf(end)
  const values = new Map<string, string[]>()
  const rest: string[] = []
  let current: string[] | undefined
  for (const line of text.slice(begin.length, to).split(/\r?\n/)) {
    const [, name, value = ''] = pair.exec(line) ?? []
    const item = /^\s*-\s+(.*)$/.exec(line)?.[1]
    if (name !== undefined) {
      current = isWanted(name.toLowerCase()) ? [] : undefined
      if (current) {
        values.set(name.toLowerCase(), current)
        current.push(...valuesIn(value))
      } else rest.push(line)
    } else if (current && item !== undefined) current.push(unquoted(item))
    else if (line.trim() !== '') rest.push(line)
  }
  return { values, rest, text: text.slice(to + end.length) }
}

const valuesIn = (value: string) => {
  const list = /^\s*\[(.*)\]\s*$/.exec(value)?.[1]
  const values = list === undefined ? [value] : list.split(',')
  return values.map(unquoted).filter((each) => each !== '')
}

const unquoted = (value: string) => value.trim().replace(/^(["'])(.*)\1$/, '$2')
