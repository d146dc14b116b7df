import { hashedId } from '#contract/hashed-id.ts'
import type { SourceItem } from '../../engine/imported.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import { storedInstantIn, wallClockIn } from '../parsing/days.ts'
import { baseName, folderOf, type ImportedFile, type Reader, readTexts } from '../parsing/entries.ts'
import { tagOf } from '../parsing/fitted-text.ts'
import { fieldsIn, type JsonObject, parseJson, textIn } from '../parsing/json-and-tables.ts'
import { frontMatterOf, type Linked, withLinks } from '../parsing/markup.ts'

const isNote = (path: string) => /\.(md|markdown|txt)$/i.test(path)

/** The names in front matter of Obsidian, Joplin, Bear, Memos and static sites. */
const wanted = new Set(
  (
    'title tags tag keywords created date created_at createdat created time updated modified updated_at updatedat ' +
    'pinned aliases alias completed? due'
  ).split(' '),
)

type Read = Linked & {
  file: string
  task: SourceItem | undefined
  values: Map<string, string[]>
  text: string
  folder: string
  /** What Bear says about the note. */
  bundle: JsonObject
}

/** Notes as files of Markdown: Obsidian, Bear, Joplin, Memos. Links between them stay links. */
export const markdown: Reader = {
  label: 'Markdown notes',
  finds: (files) => (files.some(({ path }) => isNote(path)) ? [...files] : []),
  read: readNotes,
}

/** How the files of a program differ: what a path is called, and which notes are tasks, with their values and their text. */
type Differing = {
  nameOf(path: string): string
  taskOf(path: string, text: string): { task: SourceItem; text: string } | undefined
  /** Files that were read otherwise. */
  read: ReadonlySet<string>
}

const plain: Differing = { nameOf: (path) => path, taskOf: () => undefined, read: new Set() }

export async function readNotes(files: readonly ImportedFile[], build: ImportBuilder, differing = plain) {
  const { nameOf, read } = differing
  const root = commonFolder(files.map(({ path }) => path))
  const bundles = await bundlesOf(files.filter(({ path }) => isBundleInfo(path)))
  const notes: Read[] = []
  for await (const { path, text } of readTexts(files.filter(({ path }) => isNote(path)))) {
    const note = noteIn(path, text, differing, build)
    const folder = nameOf(folderOf(note.path.slice(root.length)).replace(/\/$/, ''))
    notes.push({ ...note, folder, bundle: bundles.get(folderOf(path)) ?? {} })
  }
  const others = files.map(({ path }) => path).filter((path) => !isNote(path) && !isBundleInfo(path))
  const link = withLinks(
    notes.filter(({ bundle }) => !is(bundle, 'trashed')),
    others.filter((path) => !read.has(path)),
  )
  const linked = new Set<string>(read)
  for (const note of notes) {
    const { bundle, file } = note
    const at = note.task?.row ?? build.row({ file }, note.title)
    if (is(bundle, 'trashed')) {
      build.remark(at, 'deleted')
      continue
    }
    if (is(bundle, 'encrypted')) build.remark(at, 'encrypted-note')
    const { text, attachments, missing } = link(spacedTags(note.text), file)
    for (const [path, name] of attachments) {
      linked.add(path)
      build.remark(at, 'attachment-left-out', nameOf(name))
    }
    for (const name of missing) build.remark(at, 'link-left', nameOf(name))
    build.add({ ...itemOf(note, text.trim(), build.options.zone), row: at })
  }
  for (const path of others)
    if (!linked.has(path) && !/(^|\/)\.(obsidian|trash)\//.test(path)) build.leaveOut(path)
}

function noteIn(path: string, whole: string, { nameOf, taskOf }: Differing, build: ImportBuilder) {
  const { values, rest, ...note } = frontMatterOf(whole.replace(/\r\n?/g, '\n'), (name) => wanted.has(name))
  const { task, text } = taskOf(path, note.text) ?? { task: undefined, text: note.text }
  const place = /^(.*)\.textbundle\/text\.(?:md|markdown|txt)$/i.exec(path)?.[1] ?? path
  const [title = baseName(nameOf(place))] = values.get('title') ?? []
  // The content is a part of it, so that another file of the same name is another note.
  const key = `${path} ${hashedId(whole)}`
  // Joplin exports its tasks so.
  const kind: Linked['kind'] = task || values.has('completed?') ? 'task' : 'note'
  const kept = rest.length > 0 ? `${text.trimEnd()}\n\n\`\`\`yaml\n${rest.join('\n')}\n\`\`\`` : text
  return {
    ...{ file: path, task, values, key, title, text: kept, kind, id: build.idOfKey(kind, key) },
    ...{ path: place, aliases: [...(values.get('aliases') ?? []), ...(values.get('alias') ?? [])] },
  }
}

function itemOf({ task, values, title, folder, key, kind, bundle }: Read, body: string, zone: string) {
  if (task) return { ...task, key, list: task.list ?? folder, body }
  const first = (...names: string[]) => names.flatMap((name) => values.get(name) ?? [])[0] ?? ''
  const instant = (...names: string[]) => storedInstantIn(first(...names), zone)
  const ofBear = (name: string) => storedInstantIn(textIn(bundle[name]))
  const isUntitled = kind === 'note' && (hasTitle(body, title) || isDateAlone(title))
  return {
    ...{ kind, key, list: folder, title: isUntitled ? '' : title, body },
    tags: ['tags', 'tag', 'keywords']
      .flatMap((name) => values.get(name) ?? [])
      .flatMap((value) => value.split(/[,\s]+/))
      .concat(is(bundle, 'archived') ? ['archived'] : []),
    pinned: first('pinned') === 'true' || is(bundle, 'pinned'),
    createdAt: instant('created', 'date', 'created_at', 'createdat') ?? ofBear('creationDate'),
    changedAt: instant('updated', 'modified', 'updated_at', 'updatedat') ?? ofBear('modificationDate'),
    ...{ due: wallClockIn(first('due'), zone), done: first('completed?') === 'yes' },
  }
}

const lettersOf = (text: string) =>
  text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

/** Whether a text begins with a heading, or with the words of its title. */
function hasTitle(text: string, title: string) {
  const [first = ''] = text.trimStart().split('\n', 1)
  return /^#{1,6}\s/.test(first) || (lettersOf(first) !== '' && lettersOf(first) === lettersOf(title))
}

/** Programs name files by time or by an id. */
const isDateAlone = (title: string) => /^(?=.*\d)[\d\s_:.TZ+-]{8,}$|^[0-9a-f-]{20,}$/i.test(title)

/** In Bear a tag of several words ends with `#` too. */
function spacedTags(text: string): string {
  if (!/#\S[^#\n]*#/.test(text)) return text
  let isCode = false
  return text
    .split('\n')
    .map((line) => {
      if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
      if (isCode || line.includes('`')) return line
      return line.replace(/(?<=^|\s)#([^\s#][^#]{0,100}?)#(?=$|[\s.,;:!?)])/g, (whole, name: string) =>
        /\s$/.test(name) ? whole : (tagOf(name) ?? whole),
      )
    })
    .join('\n')
}

function commonFolder(paths: string[]): string {
  let [common = ''] = paths.map(folderOf)
  for (const path of paths) while (!path.startsWith(common)) common = common.replace(/[^/]*\/$/, '')
  return common
}

/** Whether a file says something about the note in its folder (TextBundle). */
export const isBundleInfo = (path: string): boolean => /\.textbundle\/info\.json$/i.test(path)

const is = (bundle: JsonObject, name: string) => bundle[name] === 1 || bundle[name] === true

/** Returns what Bear says about notes beside their texts, by their folders. Other programs say nothing there. */
async function bundlesOf(files: readonly ImportedFile[]) {
  const bundles = new Map<string, JsonObject>()
  for (const { path, ...file } of files) {
    const whole = fieldsIn(parseJson(await file.text(), path))
    bundles.set(folderOf(path), fieldsIn(whole['net.shinyfrog.bear']))
  }
  return bundles
}
