import { folderOf } from './entries.ts'
import { escaped } from './fitted-text.ts'

const pair = /^([\p{L}\p{N}_][\p{L}\p{N}_ ?-]{0,60}):(?:\s+(.*))?$/u

/** What can follow a name: an item of its list, a line of its text, or a comment. */
const isContinued = /^(?:\s*-\s|\s|#|$)/
const block = /^([>|])[+-]?\d?[+-]?$/

/**
 * Reads the names and values before a text in Markdown, as YAML has them: `name: value`, `name: [one, two]`, a list of lines, or a
 * text of several lines. `isWanted`: which names, in lower case, are read. The lines of the others stay in `rest`, so that nothing is
 * lost. A rule and a text are no names and values.
 */
export function frontMatterOf(text: string, isWanted: (name: string) => boolean) {
  const none = { values: new Map<string, string[]>(), rest: [] as string[], text }
  const [begin = ''] = /^---[ \t]*\n/.exec(text) ?? []
  const end = begin && /\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text.slice(begin.length - 1))
  if (!end) return none
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

/** A file that links of other files can lead to. */
export type Linked = {
  kind: 'note' | 'task'
  id: string
  key: string
  title: string
  path: string
  aliases: string[]
}

const wikiLink = /(!?)\[\[([^[\]\n]{1,500})\]\]/g
const markdownLink =
  /(!?)\[((?:[^[\]\\\n]|\\.){0,500})\]\(\s{0,5}(?:<([^<>\n]{1,1000})>|([^\s()<>]{1,1000}))(?:\s+"[^"\n]{0,500}")?\s{0,5}\)/g
const code = /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1[ \t]*$|$(?![\s\S]))|`[^`\n]*`/gm

/**
 * Returns the function that makes links to other notes lead to them. Links to other files and addresses stay as they are, and so does
 * code. `attachments`: the paths of the files that the text shows or links to and that are no notes, each with its name. `missing`:
 * notes that are not among the files.
 */
export function withLinks(notes: readonly Linked[], others: readonly string[]) {
  const byName = new Map<string, Linked>()
  const put = (name: string, note: Linked) => {
    if (!byName.has(keyOf(name))) byName.set(keyOf(name), note)
  }
  for (const note of notes) {
    put(note.path, note)
    put(withoutEnding(note.path), note)
  }
  // A whole path comes first, then the ends of paths, then names.
  for (const note of notes) {
    const parts = withoutEnding(note.path).split('/')
    for (let from = 1; from < Math.min(parts.length, 20); from++) put(parts.slice(from).join('/'), note)
  }
  for (const note of notes) for (const name of [note.title, ...note.aliases]) put(name, note)
  const files = new Map<string, string>()
  for (const path of others)
    for (const name of [path, path.split('/').at(-1) ?? '']) files.set(keyOf(name), path)

  return (text: string, from: string) => {
    const attachments = new Map<string, string>()
    const missing = new Set<string>()
    const folder = folderOf(from)
    const at = <Found>(map: Map<string, Found>, target: string) =>
      map.get(keyOf(resolved(folder, target))) ?? map.get(keyOf(target))

    // Obsidian writes the ending, wherever the note is. In Bear, a heading follows the title.
    const noteOf = (name: string) =>
      at(byName, name) ??
      at(byName, withoutEnding(name)) ??
      (isBundled.test(from) ? at(byName, name.replace(/\/[^/]*$/, '')) : undefined)

    const linkTo = (whole: string, target: string, words: string | undefined, isWiki: boolean) => {
      const name = target.replace(/#.*$/, '').trim()
      const note = name === '' ? undefined : noteOf(name)
      if (note)
        return `[${words ?? escaped(target.split('/').at(-1)?.trim() ?? '')}](${note.kind}:${note.id})`
      const path = at(files, name) ?? at(files, name.split('/').at(-1) ?? '')
      if (path !== undefined) attachments.set(path, name)
      else if (name !== '' && (isWiki || /\.(md|markdown)$/i.test(name))) missing.add(target.slice(0, 100))
      return whole
    }

    const parts: string[] = []
    let start = 0
    const link = (part: string) =>
      part
        .replace(wikiLink, (whole, _, inner: string) => {
          const [target = '', words] = inner.split('|', 2)
          return linkTo(whole, target.trim(), words && escaped(words.trim()), true)
        })
        .replace(markdownLink, (whole, _, words: string, enclosed?: string, bare?: string) => {
          const target = decoded(enclosed ?? bare ?? '')
          return /^[a-z][a-z\d+.-]*:|^#|^\/\//i.test(target) ? whole : linkTo(whole, target, words, false)
        })
    for (const { 0: literal, index } of text.matchAll(code)) {
      parts.push(link(text.slice(start, index)), literal)
      start = index + literal.length
    }
    parts.push(link(text.slice(start)))
    return { text: parts.join(''), attachments, missing }
  }
}

/** A note in a folder of its own, with its pictures: TextBundle, as Bear exports it. */
const isBundled = /\.textbundle\//i

const keyOf = (name: string) => name.normalize('NFC').toLowerCase()
const withoutEnding = (path: string) => path.replace(/\.(md|markdown|txt)$/i, '')
function decoded(target: string) {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}

function resolved(folder: string, target: string) {
  const parts = folder.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}
