import { hashedId } from '#contract/hashed-id.ts'
import { isObject } from '#contract/matches-schema.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import { instantIn, storedInstant, wallClockIn } from '../parsing/days.ts'
import { baseName, type ImportedFile, type Reader, readTexts, type StartedFile } from '../parsing/entries.ts'
import { tagOf } from '../parsing/fitted-text.ts'
import { parseJson, textIn } from '../parsing/json-and-tables.ts'
import { frontMatterOf, type Linked, withLinks } from '../parsing/markup.ts'
import type { SourceTask } from '../parsing/source-items.ts'

const isNote = (path: string) => /\.(md|markdown|txt)$/i.test(path)

/** The names in front matter of Obsidian, Joplin, Bear, Memos and static sites. */
const wanted = new Set(
  (
    'title tags tag keywords created date created_at createdat created time updated modified updated_at updatedat ' +
    'pinned aliases alias completed? due'
  ).split(' '),
)

type Read = Linked & {
  entry: Pick<StartedFile, 'path'>
  task: SourceTask | undefined
  values: Map<string, string[]>
  text: string
  folder: string
  bundle: Bundle | undefined
}

/** Notes as files of Markdown: Obsidian, Bear, Joplin, Memos. Links between them stay links. */
export const markdown: Reader = {
  label: 'Markdown notes',
  finds: (files) => (files.some(({ path }) => isNote(path)) ? [...files] : []),
  read: (files, build) => readNotes(files, build),
}

/** How the files of a program differ: what a path is called, and which notes are tasks, with their values and their text. */
type Differing = {
  nameOf(path: string): string
  taskOf(path: string, text: string): { task: SourceTask; text: string } | undefined
  /** Files that were read otherwise. */
  read: ReadonlySet<string>
}

const plain: Differing = { nameOf: (path) => path, taskOf: () => undefined, read: new Set() }

export async function readNotes(files: readonly ImportedFile[], build: ImportBuilder, differing = plain) {
  const { nameOf, read } = differing
  const folder = commonFolder(files.map(({ path }) => path))
  const bundles = await bundlesOf(files.filter(({ path }) => isBundleInfo(path)))
  const notes: Read[] = []
  for await (const { path, text } of readTexts(files.filter(({ path }) => isNote(path))))
    notes.push({
      ...readNote(path, text, folder, build, differing),
      bundle: bundles.get(path.replace(/[^/]*$/, '')),
    })
  const others = files.map(({ path }) => path).filter((path) => !isNote(path) && !isBundleInfo(path))
  const link = withLinks(
    notes.filter(({ bundle }) => !bundle?.isTrashed),
    others.filter((path) => !read.has(path)),
  )
  const linked = new Set<string>(read)
  for (const note of notes) addNote(note, link, linked, nameOf, build)
  for (const path of others)
    if (!linked.has(path) && !/(^|\/)\.(obsidian|trash)\//.test(path))
      build.remark(build.row({ file: path }, path), 'file-left-out')
}

function readNote(
  path: string,
  whole: string,
  root: string,
  build: ImportBuilder,
  { nameOf, taskOf }: Differing,
): Omit<Read, 'bundle'> {
  const { values, rest, ...note } = frontMatterOf(whole.replace(/\r\n?/g, '\n'), (name) => wanted.has(name))
  const { task, text } = taskOf(path, note.text) ?? { task: undefined, text: note.text }
  const bundle = /^(.*)\.textbundle\/text\.(?:md|markdown|txt)$/i.exec(path)?.[1]
  const place = bundle ?? path
  const [title = baseName(nameOf(place))] = values.get('title') ?? []
  // The content is a part of it, so that another file of the same name is another note.
  const key = `${path} ${hashedId(whole)}`
  // Joplin exports its tasks so.
  const kind = task || values.has('completed?') ? 'task' : 'note'
  const kept = rest.length > 0 ? `${text.trimEnd()}\n\n\`\`\`yaml\n${rest.join('\n')}\n\`\`\`` : text
  return {
    ...{ entry: { path }, task, values, key, title, text: kept, kind, id: build.idOfKey(kind, key) },
    ...{ path: place, aliases: [...(values.get('aliases') ?? []), ...(values.get('alias') ?? [])] },
    folder: nameOf(place.slice(root.length).replace(/\/?[^/]*$/, '')),
  }
}

function addNote(
  note: Read,
  link: ReturnType<typeof withLinks>,
  linked: Set<string>,
  nameOf: Differing['nameOf'],
  build: ImportBuilder,
) {
  const { values, title, folder, key, bundle } = note
  const at = note.task?.row ?? build.row({ file: note.entry.path }, title)
  if (bundle?.isTrashed) return build.remark(at, 'deleted')
  if (bundle?.isEncrypted) build.remark(at, 'encrypted-note')
  const { text, attachments, missing } = link(spacedTags(note.text), note.entry.path)
  for (const { path, name } of attachments) {
    linked.add(path)
    build.remark(at, 'attachment-left-out', nameOf(name))
  }
  for (const name of missing) build.remark(at, 'link-left', nameOf(name))
  const instant = (...names: string[]) => {
    const value = names.flatMap((name) => values.get(name) ?? [])[0] ?? ''
    return storedInstant(instantIn(value, build.options.zone))
  }
  const common = {
    ...{ row: at, key, list: folder || null },
    tags: ['tags', 'tag', 'keywords']
      .flatMap((name) => values.get(name) ?? [])
      .flatMap((value) => value.split(/[,\s]+/))
      .map((name) => name.replace(/^#/, ''))
      .concat(bundle?.isArchived ? ['archived'] : []),
    createdAt: instant('created', 'date', 'created_at', 'createdat') ?? bundle?.createdAt,
  }
  if (note.task) {
    build.addTask({ ...note.task, key, list: note.task.list ?? (folder || null), body: text.trim() })
    return
  }
  if (note.kind === 'task') {
    const due = wallClockIn(values.get('due')?.[0] ?? '', build.options.zone)
    build.addTask({
      ...{ ...common, title, body: text.trim(), isDone: values.get('completed?')?.[0] === 'yes' },
      ...{ dueDate: due?.day ?? null, dueTime: due?.time ?? null },
    })
    return
  }
  const isTitled = hasTitle(text, title) || isDateAlone(title)
  build.addNote({
    ...common,
    title: isTitled ? '' : title,
    text: text.trim(),
    pinned: values.get('pinned')?.[0] === 'true' || bundle?.isPinned,
    changedAt: instant('updated', 'modified', 'updated_at', 'updatedat') ?? bundle?.changedAt,
  })
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

/** The folder that contains all files, with its slash. */
function commonFolder(paths: string[]): string {
  let [common = ''] = paths.map((path) => path.replace(/[^/]*$/, ''))
  for (const path of paths) while (!path.startsWith(common)) common = common.replace(/[^/]*\/$/, '')
  return common
}

/** What Bear says about a note beside its text. */
type Bundle = {
  createdAt: string | null
  changedAt: string | null
  isPinned: boolean
  isArchived: boolean
  isTrashed: boolean
  isEncrypted: boolean
}

const info = /^(.*\.textbundle\/)info\.json$/i

/** Whether a file says something about the note in its folder (TextBundle). */
export const isBundleInfo = (path: string): boolean => info.test(path)

/** Returns what these files say, by the folders of the notes. Those of other programs than Bear say nothing. */
async function bundlesOf(files: readonly ImportedFile[]): Promise<Map<string, Bundle>> {
  const bundles = new Map<string, Bundle>()
  for (const { path, ...file } of files) {
    const [, folder = ''] = info.exec(path) ?? []
    const whole = parseJson(await file.text(), path)
    const said = isObject(whole) ? whole['net.shinyfrog.bear'] : undefined
    if (!isObject(said)) continue
    const instant = (name: string) => storedInstant(instantIn(textIn(said[name]), 'UTC'))
    const has = (name: string) => said[name] === 1 || said[name] === true
    bundles.set(folder, {
      ...{ createdAt: instant('creationDate'), changedAt: instant('modificationDate') },
      ...{ isPinned: has('pinned'), isArchived: has('archived') },
      ...{ isTrashed: has('trashed'), isEncrypted: has('encrypted') },
    })
  }
  return bundles
}
