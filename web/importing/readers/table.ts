import type { Priority } from '#contract/task-fields.ts'
import { instantOf } from '#contract/zone-clock.ts'
import {
  type ColumnField,
  type Columns,
  columnFields,
  type ImportedRow,
  type ImportOptions,
  type SourceItem,
} from '../../engine/imported.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import { clockIn, dayInTable, dayOrderOf, instantIn, storedInstant, wallClockIn } from '../parsing/days.ts'
import { eachText, type ImportedFile, type Reader } from '../parsing/entries.ts'
import { delimiterOf, rawOf, recordsOf, type TableRecord } from '../parsing/json-and-tables.ts'
import { Refusal } from '../parsing/remarks.ts'

/** The names of columns in English, German and French, without spaces and marks; the plainest first. */
const names: Record<ColumnField, RegExp[]> = {
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
    /^((done|completed?|completion|closed|finished|resolved)(at|on|date|time)|date(done|completed|closed|finished|resolved)|(erledigt|abgeschlossen)am|(termine|acheve)le)$/,
    /^((is)?(done|completed?|closed|finished|checked|resolved)|percentcomplete|status|state|progress|erledigt|abgeschlossen|fertig|zustand|termine|acheve|fait|statut|etat)$/,
  ],
}

const plain = (name: string) =>
  name
    .slice(0, 100)
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

const idName = /(?:^|[\s_-])(?:id|uid|uuid|guid|key|nr|no|number)\.?$|^#$/i
const idInCamelCase = /[a-z]I[dD]$/
const idValue = /^(?:\d{1,20}|[\da-f]{8,32}(?:-[\da-f]{4,12}){0,4}|[A-Z]{2,10}-\d{1,9})$/i
const examined = 200

function hasIds(header: string[], rows: TableRecord[], column: number): boolean {
  const name = (header[column] ?? '').trim().slice(0, 100)
  const values = rows.slice(0, examined).flatMap(({ values }) => values[column]?.trim() || [])
  return (
    idName.test(name) ||
    idInCamelCase.test(name) ||
    (values.length > 0 && values.every((value) => idValue.test(value)))
  )
}

const isNamed = (value: string, field: ColumnField) => names[field].some((name) => name.test(plain(value)))
const isHeader = (values: string[]) =>
  values.some((value) => columnFields.some((field) => isNamed(value, field)))

/**
 * The columns by their names, besides the known ones. A column has one field. Without a name for it, the first column that has no other
 * field and no ids is the title.
 */
export function guessed(header: string[], rows: TableRecord[], known: Columns = {}): Columns {
  const columns = { ...known }
  const free = new Map(header.map((name, column) => [column, plain(name)]))
  for (const column of Object.values(known)) free.delete(column)
  const titleAmong = (all: number[]) => all.find((column) => !hasIds(header, rows, column)) ?? all[0]
  for (const field of columnFields)
    for (const name of names[field]) {
      const all = [...free.keys()].filter((column) => name.test(free.get(column) ?? ''))
      const column = field === 'title' ? titleAmong(all) : all[0]
      if (columns[field] !== undefined || column === undefined) continue
      columns[field] = column
      free.delete(column)
    }
  columns.title ??= titleAmong([...free.keys()]) ?? 0
  return columns
}

/** The columns that say whether a task is done, the one that is chosen for it first. */
function doneColumns(header: string[], columns: Columns): number[] {
  const { doneAt } = columns
  if (doneAt === undefined) return []
  const taken = new Set<number>(Object.values(columns))
  const others = header.flatMap((name, column) =>
    !taken.has(column) && isNamed(name, 'doneAt') ? [column] : [],
  )
  return [doneAt, ...others]
}

const isToodledo = (header: string[]) => {
  const given = new Set(header.map(plain))
  return ['task', 'folder', 'context', 'goal'].every((name) => given.has(name))
}
const toodledoPriorities: Record<string, Priority> = {
  ...{ 3: 'high', 2: 'high', 1: 'medium', 0: 'low', '-1': 'low' },
}

const priorityOf: [RegExp, Priority][] = [
  [/^(high(est)?|urgent|important|critical|hoch|dringend|haute|1|p1|!!!|a)$/i, 'high'],
  [/^(low(est)?|niedrig|gering|basse|faible|3|4|5|p3|p4|!|c)$/i, 'low'],
]

const isDoneWord =
  /^(true|yes|y|x|1|100 ?%?|✓|✔|done|completed?|closed|finished|checked|resolved|ja|erledigt|abgeschlossen|fertig|oui|termin[ée]e?|achev[ée]e?|fait)$/i
const isCancelledWord = /^(cancell?ed|won['’]?t (do|fix)|abgebrochen|annul[ée]e?)$/i
const isOpenWord =
  /^(|false|no|n|0 ?%?|-|none|open|new|active|todo|to do|not started|in progress|pending|needs-?action|incomplete|unchecked|nein|offen|in arbeit|non|ouvert|à faire|en cours)$/i

/** Any table with a column of titles. */
export const table: Reader = {
  label: 'Table (CSV)',
  finds: (files) => (files.some(({ path }) => /\.(md|markdown)$/i.test(path)) ? [] : files.filter(isTable)),
  read: eachText((text, path, build) => {
    const all = recordsOf(text, path)
    const [first] = all
    if (!first) return
    const hasNames = isHeader(first.values)
    const header = hasNames ? first.values : first.values.map((_, index) => `Column ${index + 1}`)
    // The commas of one column are in its texts.
    const records = hasNames && header.length === 1 ? recordsOf(text, path, '') : all
    const rows = records.slice(hasNames ? 1 : 0)
    const columns = build.options.columns ?? (hasNames ? guessed(header, rows) : { title: 0 })
    build.imported.table ??= { names: header, columns }
    for (const task of tasksOf(rows, header, columns, path, build)) build.add(task)
  }),
}

function isTable({ path, beginning }: ImportedFile) {
  if (/\.(csv|tsv)$/i.test(path)) return beginning === undefined || !/^\s*[<{[]/.test(beginning)
  if (beginning === undefined || /\.(ics|html?|json|xml)$/i.test(path) || /^\s*[<{[]/.test(beginning))
    return false
  const rows = beginning.split(/\r\n?|\n/, 5).slice(0, -1)
  const delimiter = rows.length > 0 ? delimiterOf(`${rows.join('\n')}\n`, path) : ''
  const columns = new Set(rows.map((row) => row.split(delimiter).length))
  return delimiter !== '' && columns.size === 1 && !columns.has(1)
}

export function* tasksOf(
  rows: TableRecord[],
  header: string[],
  columns: Columns,
  file: string,
  build: ImportBuilder,
): Generator<SourceItem> {
  const { options } = build
  if (columns.title === undefined) throw new Refusal('no-title-column', { file, row: 1 })
  // All days of a file are of one program: each of them can say which number is the month.
  const orders = new Set(rows.flatMap(({ values }) => values.map(dayOrderOf)))
  const isClear = orders.has('month first') !== orders.has('day first')
  const isDayFirst =
    options.isDayFirst ?? (isClear ? orders.has('day first') : (options.isDayFirstHere ?? true))
  if (orders.has('unclear') && !isClear) Object.assign(build.imported, { hasUnclearDays: true, isDayFirst })
  const done = doneColumns(header, columns)
  const read = new Set([...Object.values(columns), ...done])
  const priorities = isToodledo(header) ? toodledoPriorities : undefined
  const leaveOut = (at: ImportedRow, name: string, value: string) =>
    build.remark(at, 'value-left-out', name, value.slice(0, 100))

  for (const record of rows) {
    const { row, values } = record
    const cell = (field: ColumnField) => values[columns[field] ?? -1]?.trim() ?? ''
    const at = build.row({ file, row }, cell('title') || values.join(' '))
    const instantOfCell = (text: string) => instantOfText(text, options, isDayFirst)
    let [isDone, doneAt]: [boolean, string | null] = [false, null]
    for (const column of done) {
      const text = values[column]?.trim() ?? ''
      const isCancelled = isCancelledWord.test(text)
      const instant = instantOfCell(text)
      doneAt ??= instant
      if (isCancelled) build.remark(at, 'wont-do')
      if (isDoneWord.test(text) || isCancelled || instant !== null) isDone = true
      else if (!isOpenWord.test(text)) leaveOut(at, header[column] ?? 'doneAt', text)
    }
    for (const [index, value] of values.entries())
      if (!read.has(index) && value.trim() !== '')
        leaveOut(at, header[index]?.trim() || `Column ${index + 1}`, value.trim())
    const priority = cell('priority')
    yield {
      row: at,
      // A number is an id in its file alone: it is a part of the content.
      key: /^\d{1,9}$/.test(cell('id')) ? '' : cell('id'),
      raw: rawOf(record),
      title: cell('title'),
      body: cell('body'),
      ...dueOf(cell('dueDate'), cell('dueTime'), cell('repeat'), isDayFirst, build),
      priority: priorities?.[priority] ?? priorityOf.find(([pattern]) => pattern.test(priority))?.[1],
      list: cell('list') || null,
      tags: cell('tags').split(/[,;|]/),
      createdAt: instantOfCell(cell('createdAt')),
      done: doneAt ?? isDone,
    }
  }
}

function dueOf(day: string, time: string, repeat: string, isDayFirst: boolean, build: ImportBuilder) {
  const { zone } = build.options
  const said = day === '' || day === '0000-00-00' ? undefined : dayInTable(day, build.options, isDayFirst)
  const due = said && { day: said.day, time: said.time ?? clockIn(time) ?? null }
  return {
    ...{ due: due ?? (day === '0000-00-00' ? '' : day), repeatFrom: said?.repeatFrom },
    repeat: repeat === '' || isOpenWord.test(repeat) ? said?.repeat : repeat,
    // An instant with an offset is of another day there.
    ruleStart: said && { day: wallClockIn(day.slice(0, 10), zone)?.day ?? said.day, here: said },
  }
}

function instantOfText(text: string, options: ImportOptions, isDayFirst: boolean): string | null {
  const instant = instantIn(text, options.zone)
  if (instant !== undefined) return storedInstant(instant)
  const said = /\d/.test(text) && text.length > 5 ? dayInTable(text, options, isDayFirst) : undefined
  return said ? storedInstant(instantOf(said.day, said.time ?? '00:00', options.zone)) : null
}
