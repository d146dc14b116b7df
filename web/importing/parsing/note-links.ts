/** A file to which the links of others can lead. */
export type Linked = {
  kind: 'note' | 'task'
  id: string
  key: string
  title: string
  path: string
  aliases: string[]
}

type WithLinks = {
  text: string
  /** The files that the text shows or links to and that are no notes. */
  attachments: { path: string; name: string }[]
  /** Links to notes that are not among the files. */
  missing: string[]
}

const wikiLink = /(!?)\[\[([^[\]\n]{1,500})\]\]/g
const markdownLink =
  /(!?)\[((?:[^[\]\\\n]|\\.){0,500})\]\(\s{0,5}(?:<([^<>\n]{1,1000})>|([^\s()<>]{1,1000}))(?:\s+"[^"\n]{0,500}")?\s{0,5}\)/g
const code = /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1[ \t]*$|$(?![\s\S]))|`[^`\n]*`/gm

/**
 * Returns the function that makes links to other notes lead to them. Links to other files and addresses stay as they are, and so does
 * code.
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

  return (text: string, from: string): WithLinks => {
    const attachments = new Map<string, string>()
    const missing = new Set<string>()
    const folder = from.replace(/[^/]*$/, '')
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
      if (note) return `[${words ?? escaped(target.split('/').at(-1) ?? '')}](${note.kind}:${note.id})`
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
          return linkTo(whole, target.trim(), words === undefined ? undefined : escaped(words), true)
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
    return {
      text: parts.join(''),
      attachments: [...attachments].map(([path, name]) => ({ path, name })),
      missing: [...missing],
    }
  }
}

/** A note in a folder of its own, with its pictures: TextBundle, as Bear exports it. */
const isBundled = /\.textbundle\//i

const keyOf = (name: string) => name.normalize('NFC').toLowerCase()
const withoutEnding = (path: string) => path.replace(/\.(md|markdown|txt)$/i, '')
const escaped = (text: string) => text.trim().replace(/[[\]\\]/g, '\\$&')

function decoded(target: string) {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}

/** The path of a target that may begin with `./` or `../`. */
function resolved(folder: string, target: string) {
  const parts = folder.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}
