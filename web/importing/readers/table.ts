import type { Priority } from '#contract/task-fields.ts'
import { instantOf } from '#contract/zone-clock.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import { dayInTable } from '../parsing/day-words.ts'
import { clockIn, dayOrderOf, instantIn, storedInstant, wallClockIn } from '../parsing/days.ts'
import { ImportError } from '../parsing/import-codes.ts'
import { type Columns, columnFields, type ImportedRow } from '../parsing/imported.ts'
import { delimiterOf, rawOf, recordsOf, type TableRecord } from '../parsing/records.ts'
import type { SourceTask } from '../parsing/source-items.ts'
import type { Reader, StartedFile } from './reader.ts'

type Field = (typeof columnFields)[number]

/** The names of columns in English, German and French, without spaces and marks; the plainest first. */
const names: Record<Field, RegExp[]> = {
  id: [/^(id|uid|uuid|taskid|key|gid)$/],
  title: [
    /^(title|task|taskname|name|subject|summary|todo|titel|aufgabe|betreff|titre|tache|objet)$/,
    /^content$/,
  ],
  body: [
    /^(body|description|notes?|details?|comments?|text|beschreibung|notiz(en)?|corps|remarques?)$/,
    /^content$/,
  ],
  dueDate: [
    /^(due|duedate|dueon|dueat|falligam|fallig|echeance|dateecheance)$/,
    /^(deadline|enddate|date|datum|frist)$/,
  ],
  dueTime: [/^(duetime|time|uhrzeit|zeit|heure)$/],
  priority: [/^(priority|prio|importance|prioritat|wichtigkeit|priorite)$/],
  tags: [/^(tags?|labels?|etiquettes?|schlagworter)$/, /^(categor(y|ies)|contexts?|kategorien?)$/],
  list: [
    /^(list|listname|project|projectname|folder|group|board|liste|projekt|ordner|projet|dossier)$/,
    /^(category|kategorie)$/,
  ],
  repeat: [/^(repeat|recurrence|recurring|rrule|repeats|wiederholung|repetition|recurrent)$/],
  createdAt: [
    /^(created|createdat|createdtime|createdon|createdate|datecreated|creationdate|erstellt|erstelltam|cree|creele)$/,
  ],
  doneAt: [
    /^(doneat|completedat|completedtime|completedon|datecompleted|erledigtam)$/,
    /^(done|completed|finished|status|erledigt|termine|fait)$/,
  ],
}

const plain = (name: string) =>
  name
    .slice(0, 100)
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

/** The columns by their names. A column has one field. */
function named(header: string[]): Columns {
  const columns: Columns = {}
  const free = new Map(header.map((name, column) => [column, plain(name)]))
  for (const field of columnFields)
    for (const name of names[field]) {
      const [column] = [...free].find(([, given]) => name.test(given)) ?? []
      if (column === undefined) continue
      columns[field] = column
      free.delete(column)
      break
    }
  return columns
}

/** The columns by their names. Without a name for it, the first column that has no other field is the title, or else the first one. */
function guessed(header: string[]): Columns {
  const columns = named(header)
  const taken = new Set<number>(Object.values(columns))
  const free = header.findIndex((_, column) => !taken.has(column))
  return { ...columns, title: columns.title ?? Math.max(0, free) }
}

const priorityOf: [RegExp, Priority][] = [
  [/^(high(est)?|urgent|important|critical|hoch|dringend|haute|1|p1|!!!|a)$/i, 'high'],
  [/^(low(est)?|niedrig|gering|basse|faible|3|4|5|p3|p4|!|c)$/i, 'low'],
]

const isDoneWord =
  /^(true|yes|y|x|1|done|completed?|closed|finished|ja|erledigt|fertig|oui|termin[ée]e?|fait)$/i
const isOpenWord =
  /^(|false|no|n|0|-|open|todo|to do|not started|in progress|pending|needs-?action|nein|offen|non|ouvert|à faire)$/i

/** Any table with a column of titles. */
export const table: Reader = {
  label: 'Table (CSV)',
  finds: (files) => (files.some(({ path }) => /\.(md|markdown)$/i.test(path)) ? [] : files.filter(isTable)),
  async read(entries, build) {
    for (const entry of entries) {
      const records = recordsOf(await entry.text(), entry.path)
      const [first] = records
      if (!first) continue
      const isHeader = Object.keys(named(first.values)).length > 0
      const header = isHeader ? first.values : first.values.map((_, index) => `Column ${index + 1}`)
      const columns = build.options.columns ?? (isHeader ? guessed(header) : { title: 0 })
      build.imported.table ??= { names: header, columns }
      readTable(isHeader ? records.slice(1) : records, header, columns, entry.path, build)
    }
  },
}

function isTable({ path, beginning }: StartedFile) {
  if (/\.(csv|tsv)$/i.test(path)) return beginning === undefined || !/^\s*[<{[]/.test(beginning)
  if (beginning === undefined || /\.(ics|html?|json|xml)$/i.test(path) || /^\s*[<{[]/.test(beginning))
    return false
  const rows = beginning.split(/\r\n?|\n/, 5).slice(0, -1)
  const delimiter = rows.length > 0 ? delimiterOf(`${rows.join('\n')}\n`, path) : ','
  const columns = rows.map((row) => row.split(delimiter).length)
  return columns.length > 0 && Math.min(...columns) > 1 && Math.min(...columns) === Math.max(...columns)
}

function readTable(
  rows: TableRecord[],
  header: string[],
  columns: Columns,
  file: string,
  build: ImportBuilder,
) {
  const { options } = build
  const { title, dueDate } = columns
  if (title === undefined) throw new ImportError('no-title-column', {}, { file, row: 1 })
  const orders = new Set(
    dueDate === undefined ? [] : rows.map(({ values }) => dayOrderOf(values[dueDate] ?? '')),
  )
  const isDayFirst = options.isDayFirst ?? !(orders.has('month first') && !orders.has('day first'))
  if (orders.has('unclear') && !orders.has('month first') && !orders.has('day first'))
    build.imported.hasUnclearDays = true
  const nameOf = (field: Field) => header[columns[field] ?? -1] ?? field

  for (const record of rows) {
    const { row, values } = record
    const cell = (field: Field) => values[columns[field] ?? -1]?.trim() ?? ''
    const at = build.row({ file, row }, cell('title') || values.join(' '))
    const instant = (field: Field) => instantOfText(cell(field), options.zone, isDayFirst, options.now)
    const done = cell('doneAt')
    const doneAt = instant('doneAt')
    const isDone = isDoneWord.test(done) || doneAt !== null
    if (!isDone && !isOpenWord.test(done)) build.leaveOut(at, nameOf('doneAt'), done.slice(0, 100))
    const priority = cell('priority')
    const task: SourceTask = {
      row: at,
      // A number is an id in its file alone: it is a part of the content.
      key: /^\d{1,9}$/.test(cell('id')) ? undefined : cell('id') || undefined,
      raw: rawOf(record),
      title: cell('title'),
      body: cell('body'),
      ...dueOf(cell('dueDate'), cell('dueTime'), cell('repeat'), isDayFirst, build),
      priority: priorityOf.find(([pattern]) => pattern.test(priority))?.[1],
      list: cell('list') || null,
      tags: cell('tags')
        .split(/[,;|]/)
        .map((tag) => tag.trim().replace(/^[#@]/, '')),
      createdAt: instant('createdAt'),
      ...{ isDone, doneAt },
    }
    leaveOutOthers(values, header, columns, at, build)
    build.addTask(task)
  }
}

function dueOf(day: string, time: string, repeat: string, isDayFirst: boolean, build: ImportBuilder) {
  const { now, zone } = build.options
  const said = day === '' ? undefined : dayInTable(day, now, zone, isDayFirst)
  const rule = repeat === '' || isOpenWord.test(repeat) ? said?.repeat : repeat
  return {
    dueDate: said?.day ?? null,
    dueTime: said ? (said.time ?? clockIn(time) ?? null) : null,
    dueText: said ? undefined : day,
    repeat: rule,
    repeatFrom: said?.repeatFrom,
    // An instant with an offset is of another day there.
    ruleStart: said && { day: wallClockIn(day.slice(0, 10), zone)?.day ?? said.day, here: said },
  }
}

function instantOfText(text: string, zone: string, isDayFirst: boolean, now: Date): string | null {
  const instant = instantIn(text, zone)
  if (instant !== undefined) return storedInstant(instant)
  const said = /\d/.test(text) && text.length > 5 ? dayInTable(text, now, zone, isDayFirst) : undefined
  return said ? storedInstant(instantOf(said.day, said.time ?? '00:00', zone)) : null
}

/** Lists the values of columns that no field has. */
function leaveOutOthers(
  values: string[],
  header: string[],
  columns: Columns,
  at: ImportedRow,
  build: ImportBuilder,
) {
  const read = new Set(Object.values(columns))
  for (const [index, value] of values.entries()) {
    if (read.has(index) || value.trim() === '') continue
    const name = header[index]?.trim() || `Column ${index + 1}`
    build.leaveOut(at, name, value.trim().slice(0, 100))
  }
}
