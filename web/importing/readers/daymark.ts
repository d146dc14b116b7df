import { isBlank } from '#contract/blank.ts'
import { timeOfDay } from '#contract/fields.ts'
import { bodyLength, keptFor, noteLength, titleLength } from '#contract/limits.ts'
import { priorities } from '#contract/lists.ts'
import { parseReminders } from '#contract/reminder-times.ts'
import { parseRule } from '#contract/repeat-rules.ts'
import { defaultReminders, firstDays, noteOrders, type Settings, themes } from '#contract/settings.ts'
import { isDay, isInRange } from '../parsing/days.ts'
import { linesOf } from '../parsing/decoded-text.ts'
import type { ImportedFile } from '../parsing/entries.ts'
import { isLonger } from '../parsing/fitted-text.ts'
import { ImportError } from '../parsing/import-codes.ts'
import type { ImportedNote, ImportedTask, ImportedVersion } from '../parsing/imported.ts'
import { type JsonObject, objectIn, parseJson } from '../parsing/json.ts'
import type { Reader, StartedFile } from './reader.ts'

type Check = (value: unknown) => boolean
type Checks = Record<string, Check>
const isText =
  (max: number): Check =>
  (value) =>
    typeof value === 'string' && !isLonger(value, max) && value.isWellFormed() && !value.includes('\0')
const isId: Check = (value) =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
const isInstant: Check = (value) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(value) &&
  !Number.isNaN(Date.parse(value))
const isBoolean: Check = (value) => typeof value === 'boolean'
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const isOneOf =
  (values: readonly string[]): Check =>
  (value) =>
    values.some((each) => each === value)
const isTime: Check = (value) => typeof value === 'string' && timeOfDay.test(value)
const isDayText: Check = (value) => typeof value === 'string' && isDay(value) && isInRange(value)

const taskChecks: { [Name in keyof Omit<ImportedTask, 'list' | 'tags'>]: Check } = {
  _id: isId,
  title: (value) => isText(titleLength.max)(value) && !isBlank(value as string),
  body: isText(bodyLength.max),
  dueDate: orNull(isDayText),
  dueTime: orNull(isTime),
  priority: isOneOf(priorities),
  repeat: orNull((value) => typeof value === 'string' && parseRule(value) !== undefined),
  repeatFrom: isOneOf(['due', 'done']),
  repeatDay: orNull(isDayText),
  reminders: orNull((value) => typeof value === 'string' && parseReminders(value) !== undefined),
  series: orNull(isId),
  createdAt: isInstant,
  doneAt: orNull(isInstant),
  deletedAt: orNull(isInstant),
}

const noteChecks: { [Name in keyof Omit<ImportedNote, 'list' | 'tags'>]: Check } = {
  _id: isId,
  text: isText(noteLength.max),
  pinned: isBoolean,
  createdAt: isInstant,
  changedAt: isInstant,
  deletedAt: orNull(isInstant),
}

const versionChecks: { [Name in keyof ImportedVersion]: Check } = {
  note: isId,
  at: isInstant,
  by: isText(200),
  text: isText(noteLength.max),
}

const settingChecks: { [Name in keyof Settings]: Check } = {
  theme: isOneOf(themes),
  firstDay: isOneOf(firstDays),
  keys: isBoolean,
  sidebarCollapsed: isBoolean,
  noteOrder: isOneOf(noteOrders),
  defaultReminder: isOneOf(defaultReminders),
  // Not every browser knows each zone.
  zone: orNull(isText(100)),
  zonePinned: isBoolean,
  quietFrom: orNull(isTime),
  quietUntil: orNull(isTime),
  reminderTitles: isBoolean,
}

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

    const adding =
      (becomes: 'task' | 'note', checks: Checks, items: (ImportedTask | ImportedNote)[]) =>
      (value: JsonObject, place: LinePlace) => {
        const bare: Pick<ImportedTask, 'list' | 'tags'> = { list: null, tags: [] }
        const item = { ...checked(value, checks, place), ...bare } as ImportedTask | ImportedNote
        const { _id, deletedAt } = item
        if (ids.has(_id)) throw new ImportError('repeated-id', {}, place)
        ids.add(_id)
        const row = build.row(place, 'title' in item ? item.title : item.text)
        // It would be removed for good at once, because it was deleted so long ago.
        if (deletedAt !== null && deletedAt <= over) {
          gone.add(_id)
          build.remark(row, 'row-left-out', { reason: 'deleted' })
        } else {
          Object.assign(row, { becomes, item: _id })
          items.push(item)
        }
      }
    const addTask = adding('task', taskChecks, build.imported.tasks)
    const addNote = adding('note', noteChecks, build.imported.notes)

    await eachLine(find('tasks.jsonl'), addTask)
    await eachLine(find('notes.jsonl'), addNote)
    await eachLine(find('deleted.jsonl'), (value, place) => {
      const item = objectIn(value.item, 'an item', place)
      if (value.kind === 'note') addNote(item, place)
      else addTask(item, place)
    })
    const versions = find('versions.jsonl')
    await eachLine(versions, (value, place) => {
      const version = checked(value, versionChecks, place) as ImportedVersion
      if (!gone.has(version.note)) build.imported.versions.push(version)
    })
    build.imported.versions = oldestFirst(build.imported.versions)
    if (versions && build.imported.versions.length > 0)
      build.row({ file: versions.path }, versions.path, 'version')
    await eachLine(find('settings.jsonl'), (value, place) => {
      const row = build.row(place, place.file, 'setting')
      // An export of another version has other settings.
      const named = Object.entries(settingChecks).filter(([name]) => Object.hasOwn(value, name))
      for (const [name, check] of named)
        if (!check(value[name]))
          build.remark(row, 'value-left-out', { name, value: JSON.stringify(value[name]).slice(0, 100) })
      const kept = named.filter(([name, check]) => check(value[name]))
      build.imported.settings = Object.fromEntries(kept.map(([name]) => [name, value[name]]))
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

/** The values with these names, or a refusal that names the first one that no export has. */
function checked(value: JsonObject, checks: Checks, place: LinePlace): object {
  const all = Object.entries(checks)
  for (const [name, check] of all)
    if (!check(value[name]))
      throw new ImportError('unexpected-json', { expected: `a value of ${name} that Daymark exports` }, place)
  return Object.fromEntries(all.map(([name]) => [name, value[name]]))
}
