type FrontMatter = {
  /** The values of each name, in lower case. */
  values: Map<string, string[]>
  /** The lines of the names that are not wanted. */
  rest: string[]
  /** The text after it. */
  text: string
}

const pair = /^([\p{L}\p{N}_][\p{L}\p{N}_ ?-]{0,60}):(?:\s+(.*))?$/u

/** What can follow a name: an item of its list, a line of its text, or a comment. */
const isContinued = /^(?:\s*-\s|\s|#|$)/
const block = /^([>|])[+-]?\d?[+-]?$/

/**
 * Reads the names and values before a text in Markdown, as YAML has them: `name: value`, `name: [one, two]`, a list of lines, or a
 * text of several lines. `isWanted`: which names are read. What is anything else stays in `rest`, so that nothing is lost. A rule and
 * a text are no names and values.
 */
export function frontMatterOf(text: string, isWanted: (name: string) => boolean): FrontMatter {
  const none = { values: new Map<string, string[]>(), rest: [], text }
  const [begin] = /^---[ \t]*\n/.exec(text) ?? []
  const end = begin === undefined ? null : /\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text.slice(begin.length - 1))
  if (begin === undefined || end === null) return none
  const to = begin.length - 1 + end.index
  const lines = to < begin.length ? [] : text.slice(begin.length, to).split('\n')
  const first = lines.find((line) => line.trim() !== '' && !line.startsWith('#'))
  if (lines.length > 0 && (first === undefined || !pair.test(first))) return none
  if (!lines.every((line) => pair.test(line) || isContinued.test(line))) return none
  const values = new Map<string, string[]>()
  const rest: string[] = []
  let current: string[] | undefined
  let style: string | undefined
  for (const line of lines) {
    const [, name, value = ''] = pair.exec(line) ?? []
    const item = /^\s*-\s+(.*)$/.exec(line)?.[1]
    if (name !== undefined) {
      current = isWanted(name.toLowerCase()) ? [] : undefined
      style = block.exec(value.trim())?.[1]
      if (current) {
        values.set(name.toLowerCase(), current)
        current.push(...(style === undefined ? valuesIn(value) : ['']))
      } else rest.push(line)
    } else if (current && style !== undefined && (/^\s/.test(line) || line === ''))
      current[0] = `${current[0]}${current[0] === '' ? '' : style === '|' ? '\n' : ' '}${line.trim()}`.trim()
    else if (current && item !== undefined) current.push(unquoted(item))
    else if (current && /^\s+\S/.test(line) && current.length > 0)
      current.push(`${current.pop()} ${line.trim()}`)
    else if (line.trim() !== '') rest.push(line)
  }
  return { values, rest, text: text.slice(to + end[0].length) }
}

const valuesIn = (value: string) => {
  const list = /^\s*\[(.*)\]\s*$/.exec(value)?.[1]
  const values = list === undefined ? [value] : (list.match(/"[^"]*"|'[^']*'|[^,]+/g) ?? [])
  return values.map(unquoted).filter((each) => each !== '')
}

const unquoted = (value: string) => value.trim().replace(/^(["'])(.*)\1$/, '$2')
