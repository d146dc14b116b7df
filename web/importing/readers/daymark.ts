import { exportFormat } from '#contract/exports.ts'
import { fieldFormats } from '#contract/formats.ts'
import { exportedLines } from '#contract/imports.ts'
import { keptFor } from '#contract/limits.ts'
import { matches, readObject, type Schema } from '#contract/matches-schema.ts'
import { Settings } from '#contract/settings.ts'
import type { ImportedNote, ImportedRow, ImportedTask, ImportedVersion } from '../../engine/imported.ts'
import { linesOf } from '../parsing/decoded-text.ts'
import type { ImportedFile, Reader, StartedFile } from '../parsing/entries.ts'
import { type JsonObject, objectIn, parseJson, textIn } from '../parsing/json-and-tables.ts'
import { Refusal } from '../parsing/remarks.ts'

const isInstant = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text) && !Number.isNaN(Date.parse(text))

const texts = {
  // Not every browser knows each time zone.
  formats: { ...fieldFormats, 'date-time': isInstant, 'time-zone': (text: string) => text.length <= 100 },
  isExact: true,
}

const properties: Record<string, Schema> = Settings.properties

const folderOf = ({ path }: Pick<ImportedFile, 'path'>) => path.replace(/[^/]*$/, '')

/** The zip that Daymark exports (`server/exporting/read-me.ts`). Every value stays as it is, ids too. */
export const daymark: Reader = {
  label: 'Daymark',
  finds(files) {
    const manifest = files.find(
      ({ path, beginning }) =>
        /(^|\/)manifest\.json$/.test(path) && /"format"\s*:\s*"daymark"/.test(beginning ?? ''),
    )
    if (!manifest) return []
    const isOther = (file: StartedFile) =>
      file !== manifest && file.zip === manifest.zip && file.path.startsWith(folderOf(manifest))
    return [manifest, ...files.filter(isOther)]
  },
  async read(entries, build) {
    const folder = folderOf(entries[0] as ImportedFile)
    const find = (name: string) => entries.find(({ path }) => path === folder + name)
    const over = new Date(build.options.now.getTime() - keptFor).toISOString()
    const [gone, ids] = [new Set<string>(), new Set<string>()]

    const leaveOut = (row: ImportedRow, name: string, value: unknown) =>
      build.remark(row, 'value-left-out', name, JSON.stringify(value).slice(0, 100))

    const adding =
      (becomes: 'task' | 'note', items: (ImportedTask | ImportedNote)[]) =>
      (value: JsonObject, place: LinePlace) => {
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
          build.remark(row, 'deleted')
        } else {
          Object.assign(row, { becomes, item: _id })
          items.push(item)
        }
      }
    const addTask = adding('task', build.imported.tasks)
    const addNote = adding('note', build.imported.notes)

    await checkFormat(entries[0] as ImportedFile)
    await eachLine(find('tasks.jsonl'), addTask)
    await eachLine(find('notes.jsonl'), addNote)
    await eachLine(find('deleted.jsonl'), (value, place) => {
      const item = objectIn(value.item, 'an item', place)
      if (value.kind === 'note') addNote(item, place)
      else addTask(item, place)
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

type LinePlace = { file: string; row: number }

async function eachLine(entry: ImportedFile | undefined, add: (value: JsonObject, place: LinePlace) => void) {
  if (!entry) return
  for (const { line, row } of linesOf(await entry.text())) {
    const place = { file: entry.path, row }
    if (line.trim() !== '') add(objectIn(parseJson(line, place.file, row), 'an object', place), place)
  }
}

/** What a line has, or a refusal that names the first property whose value no export has. */
function lineIn(value: JsonObject, kind: keyof typeof exportedLines, place: LinePlace) {
  const { schema, defaults } = exportedLines[kind]
  const read = readObject(value, schema.properties, defaults, texts)
  if (typeof read === 'object') return read
  throw new Refusal('unexpected-json', place, `a value of ${read} that Daymark exports`)
}

async function checkFormat(manifest: ImportedFile) {
  const { formatVersion = 1, readBy } = objectIn(
    parseJson(await manifest.text(), manifest.path),
    'an object',
    { file: manifest.path },
  )
  if (formatVersion === exportFormat.version) return
  const version = /^\d[\w.-]{0,30}$/.exec(textIn(readBy))?.[0]
  throw new Refusal('later-export', { file: manifest.path }, version)
}
