import { exportFormat } from '#contract/exports.ts'
import { fieldFormats } from '#contract/formats.ts'
import { exportedLines } from '#contract/imports.ts'
import { keptFor } from '#contract/limits.ts'
import { matches, readObject, type Schema } from '#contract/matches-schema.ts'
import { Settings } from '#contract/settings.ts'
import type {
  ImportedNote,
  ImportedRow,
  ImportedTask,
  ImportedVersion,
  SourcePlace,
} from '../../engine/imported.ts'
import { linesOf } from '../parsing/decoded-text.ts'
import { folderOf, type ImportedFile, isBeside, type Reader } from '../parsing/entries.ts'
import { type JsonObject, objectIn, parseObject, textIn } from '../parsing/json-and-tables.ts'
import { Refusal } from '../parsing/remarks.ts'

const isInstant = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text) && !Number.isNaN(Date.parse(text))

const texts = {
  // Not every browser knows each time zone.
  formats: { ...fieldFormats, 'date-time': isInstant, 'time-zone': (text: string) => text.length <= 100 },
  isExact: true,
}

const properties: Record<string, Schema> = Settings.properties

/** The zip that Daymark exports (`server/exporting/read-me.ts`). Every value stays as it is, ids too. */
export const daymark: Reader = {
  label: 'Daymark',
  finds(files) {
    const manifest = files.find(
      ({ path, beginning }) =>
        /(^|\/)manifest\.json$/.test(path) && /"format"\s*:\s*"daymark"/.test(beginning ?? ''),
    )
    if (!manifest) return []
    return [manifest, ...files.filter((file) => isBeside(file, manifest))]
  },
  async read(entries, build) {
    const [manifest] = entries as [ImportedFile]
    const folder = folderOf(manifest.path)
    const find = (name: string) => entries.find(({ path }) => path === folder + name)
    const over = new Date(build.options.now.getTime() - keptFor).toISOString()
    const [gone, ids] = [new Set<string>(), new Set<string>()]

    const leaveOut = (row: ImportedRow, name: string, value: unknown) =>
      build.remark(row, 'value-left-out', name, JSON.stringify(value).slice(0, 100))

    function add(becomes: 'task' | 'note', value: JsonObject, place: SourcePlace) {
      const { values, unknown } = lineIn(value, becomes, place)
      const item = { ...values, list: null, tags: [] } as unknown as ImportedTask | ImportedNote
      const { _id, deletedAt } = item
      if (ids.has(_id)) throw new Refusal('repeated-id', place)
      ids.add(_id)
      const row = build.row(place, 'title' in item ? item.title : item.text)
      for (const name of unknown) leaveOut(row, name, value[name])
      // It would be removed for good at once, because it was deleted so long ago.
      if (deletedAt !== null && deletedAt <= over) {
        gone.add(_id)
        return build.remark(row, 'deleted')
      }
      Object.assign(row, { becomes, item: _id })
      if ('title' in item) build.imported.tasks.push(item)
      else build.imported.notes.push(item)
    }

    await checkFormat(manifest)
    await eachLine(find('tasks.jsonl'), (value, place) => add('task', value, place))
    await eachLine(find('notes.jsonl'), (value, place) => add('note', value, place))
    await eachLine(find('deleted.jsonl'), (value, place) => {
      add(value.kind === 'note' ? 'note' : 'task', objectIn(value.item, 'not-an-item', place), place)
    })
    const versions = find('versions.jsonl')
    const unread = new Map<string, unknown>()
    await eachLine(versions, (value, place) => {
      const { values, unknown } = lineIn(value, 'version', place)
      for (const name of unknown) unread.set(name, value[name])
      if (!gone.has(values.note as string)) build.imported.versions.push(values as ImportedVersion)
    })
    build.imported.versions = oldestFirst(build.imported.versions)
    if (versions && build.imported.versions.length > 0) {
      const row = build.row({ file: versions.path }, versions.path, 'version')
      for (const [name, value] of unread) leaveOut(row, name, value)
    }
    await eachLine(find('settings.jsonl'), (value, place) => {
      const row = build.row(place, place.file, 'setting')
      // An export of another version has other settings.
      const accepted = Object.entries(value).filter(([name, each]) => {
        const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
        const isAccepted = schema !== undefined && matches(each, schema, texts)
        if (!isAccepted) leaveOut(row, name, each)
        return isAccepted
      })
      build.imported.settings = Object.fromEntries(accepted)
    })
  },
}

/** The versions in the order of the file, but those of each note as the server takes them: the oldest first. */
function oldestFirst(versions: ImportedVersion[]): ImportedVersion[] {
  const byNote = Map.groupBy(versions, ({ note }) => note)
  for (const some of byNote.values())
    some.sort((one, other) => Date.parse(one.at) - Date.parse(other.at)).reverse()
  return versions.map(({ note }) => byNote.get(note)?.pop() as ImportedVersion)
}

async function eachLine(
  entry: ImportedFile | undefined,
  add: (value: JsonObject, place: SourcePlace) => void,
) {
  if (!entry) return
  for (const { line, row } of linesOf(await entry.text())) {
    const place = { file: entry.path, row }
    if (line.trim() !== '') add(parseObject(line, 'not-an-object', place), place)
  }
}

/** What a line has, or a refusal that names the first property whose value no export has. */
function lineIn(value: JsonObject, kind: keyof typeof exportedLines, place: SourcePlace) {
  const { schema, defaults } = exportedLines[kind]
  const read = readObject(value, schema.properties, defaults, texts)
  if (typeof read === 'object') return read
  throw new Refusal('not-of-an-export', place, read)
}

async function checkFormat(manifest: ImportedFile) {
  const place = { file: manifest.path }
  const { formatVersion = 1, readBy } = parseObject(await manifest.text(), 'not-an-object', place)
  if (formatVersion === exportFormat.version) return
  throw new Refusal('later-export', place, /^\d[\w.-]{0,30}$/.exec(textIn(readBy))?.[0])
}
