import type { Priority } from '#contract/task-fields.ts'
import { wallClockOf } from '#contract/zone-clock.ts'
import type { ImportedRow } from '../../engine/imported.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import { dayInTable, instantIn, storedInstant, wallClockIn, zoneNamed } from '../parsing/days.ts'
import { baseName, eachText, type Reader } from '../parsing/entries.ts'
import { type NamedRow, namedRows, rawOf, recordsOf } from '../parsing/json-and-tables.ts'
import type { SourceTask } from '../parsing/source-items.ts'
import { reminderOf } from '../parsing/task-values.ts'

/** 1 is the highest in files, and what an empty one means. */
const priorities: Record<string, Priority> = { '': 'high', 1: 'high', 2: 'medium', 3: 'low', 4: 'low' }

const label = /(?<!\S)@([^\s@]+)/g
/** A file that was added to a comment. */
const attachment = /\[\[file (\{[^\n]{0,2000}?\})\]\]/g
const beginsLikeRepeat = /^(ev|every|daily|weekly|monthly|yearly|jed|täglich|wöchentlich|chaque|tou[ts])/i

/** The CSV of a project, or the zip of these that Todoist keeps as a backup. */
export const todoist: Reader = {
  label: 'Todoist',
  finds: (files) =>
    files.filter(({ beginning = '' }) =>
      /^"?TYPE"?,"?CONTENT"?,(.*,)?"?INDENT"?(,|\s)/i.test(beginning.slice(0, 500)),
    ),
  read: eachText(readProject),
}

function readProject(text: string, file: string, build: ImportBuilder) {
  const project = baseName(file).replace(/ \[\w+\]$/, '')
  let list = project
  /** The tasks that the next row can be a part of, by their indent. */
  let wholes: SourceTask[] = []
  let last: SourceTask | undefined
  for (const named of namedRows(recordsOf(text, file, ','))) {
    const { row, cell } = named
    const content = cell('CONTENT')
    const at = build.row({ file, row }, content)
    const type = cell('TYPE').toLowerCase()
    if (type === 'section') {
      list = `${project}/${content}`
      at.becomes = 'list'
      if (cell('DESCRIPTION') !== '') build.remark(at, 'value-left-out', 'DESCRIPTION', cell('DESCRIPTION'))
      wholes = []
    } else if (type === 'note') addComment(content, dateOf(cell('DATE'), build), at, last, project, build)
    else if (type === 'task') {
      const depth = Math.max(0, Math.min(wholes.length, (Number.parseInt(cell('INDENT'), 10) || 1) - 1))
      const tags = [...content.matchAll(label)].map(([, name = '']) => name)
      const title = content.replace(label, '').replace(/\s+/g, ' ').trim() || content
      const isPart = depth > 0
      const task: SourceTask = {
        row: at,
        ref: `${file} ${row}`,
        raw: `${list}\n${rawOf(named)}`,
        parent: isPart ? wholes[depth - 1]?.ref : undefined,
        ...{ title, tags, list, body: cell('DESCRIPTION'), comments: [], parts: [] },
        ...dueOf(cell('DATE'), cell('DEADLINE'), build),
        priority: priorities[cell('PRIORITY')],
      }
      for (const name of ['RESPONSIBLE', 'DURATION'])
        if (cell(name) !== '' && cell(name) !== 'None') build.remark(at, 'value-left-out', name, cell(name))
      build.addTask(task)
      wholes = [...wholes.slice(0, depth), task]
      last = task
    } else build.remark(at, 'no-item')
  }
}

function addComment(
  content: string,
  heading: string,
  at: ImportedRow,
  task: SourceTask | undefined,
  project: string,
  build: ImportBuilder,
) {
  const text = content.replace(attachment, (_, json: string) => {
    const name = /"file_name"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(json)?.[1] ?? 'file'
    build.remark(at, 'attachment-left-out', name)
    return `Attachment: ${name}`
  })
  if (!task) {
    build.addNote({ row: at, title: project, text, list: project })
    return
  }
  at.becomes = 'comment'
  task.comments?.push({ heading, text })
  task.parts?.push(at)
}

const dateOf = (text: string, { options }: ImportBuilder) =>
  dayInTable(text, options.now, options.zone, true)?.day ?? text

function dueOf(date: string, deadline: string, { options }: ImportBuilder) {
  const { now, zone } = options
  const read = (text: string) => dayInTable(text, now, zone, true)
  const said = read(date || deadline)
  const isRepeat = !said && beginsLikeRepeat.test(date)
  const last = date !== '' && deadline !== '' ? `Deadline: ${read(deadline)?.day ?? deadline}` : undefined
  return {
    dueDate: said?.day ?? null,
    dueTime: said?.time ?? null,
    dueText: said || isRepeat ? undefined : date || deadline,
    repeat: said?.repeat ?? (isRepeat ? date : undefined),
    repeatFrom: said?.repeatFrom,
    lines: last === undefined ? [] : [last],
  }
}

const priorityNames: Record<string, Priority> = {
  ...{ 0: 'medium', 1: 'low', 3: 'medium', 5: 'high' },
  ...{ p1: 'high', p2: 'medium', p3: 'low', p4: 'medium' },
}

const header = ['List Name', 'Title', 'Content', 'Status']
const isHeader = (values: string[]) => header.every((name) => values.some((value) => value.trim() === name))
const box = /^\s*([▫▪])\s?(.*)$/u

/** The CSV of a backup, which has a preamble. */
export const ticktick: Reader = {
  label: 'TickTick',
  finds: (files) =>
    files.filter(({ beginning = '' }) =>
      header.every((name) => new RegExp(`[",]${name}[",]`).test(beginning)),
    ),
  read: eachText((text, path, build) => {
    const records = recordsOf(text, path, ',')
    const start = records.findIndex(({ values }) => isHeader(values))
    for (const row of namedRows(records, start)) readRow(row, path, build)
  }),
}

function readRow(named: NamedRow, file: string, build: ImportBuilder) {
  const { row, cell } = named
  const { zone } = build.options
  const at = build.row({ file, row }, cell('Title') || cell('Content'))
  const instant = (name: string) => storedInstant(instantIn(cell(name), zone))
  const [folder, name] = [cell('Folder Name'), cell('List Name')]
  const common = {
    // The ids of a backup count its rows: another backup has the same ones for other tasks.
    ...{
      row: at,
      key: cell('Created Time') && `${cell('Created Time')} ${cell('Title')}`,
      raw: rawOf(named),
    },
    ...{ ref: cell('taskId') || undefined, title: cell('Title') },
    list: folder === '' ? name : `${folder}/${name}`,
    tags: cell('Tags')
      .split(',')
      .map((tag) => tag.trim().replace(/^#/, '')),
    createdAt: instant('Created Time'),
  }
  const content = cell('Content').replace(/\r\n?/g, '\n')
  if (cell('Kind').toUpperCase() === 'NOTE') {
    build.addNote({ ...common, text: content })
    return
  }
  if (cell('Column Name') !== '') build.remark(at, 'value-left-out', 'Column Name', cell('Column Name'))
  const lines = content.split('\n')
  const boxes = lines.flatMap((line) => {
    const [, sign, text] = box.exec(line) ?? []
    return text === undefined ? [] : [{ text, isDone: sign === '▪' }]
  })
  const start = dayOf(cell, 'Start Date', zone)
  const due = dayOf(cell, 'Due Date', zone) ?? start
  const ruleStart = start ?? due
  const status = cell('Status')
  if (status === '-1') build.remark(at, 'wont-do')
  const date = cell('Due Date') || cell('Start Date')
  build.addTask({
    ...common,
    parent: cell('parentId') || undefined,
    body: lines.filter((line) => !box.test(line)).join('\n'),
    checklist: boxes,
    dueDate: due?.day ?? null,
    dueTime: due?.time ?? null,
    dueText: due ? undefined : date,
    lines: start && due && start.day !== due.day ? [`Start: ${start.day}`] : [],
    repeat: cell('Repeat') || undefined,
    ruleStart: ruleStart && { day: ruleStart.there, here: ruleStart },
    reminders: cell('Reminder')
      .split(/[,\n]/)
      .filter((each) => each.trim() !== '')
      .map((each) => reminderOf(each, due?.time != null)),
    priority: priorityNames[cell('Priority').toLowerCase()],
    isDone: ['1', '2', '-1'].includes(status),
    doneAt: status === '0' ? null : instant('Completed Time'),
  })
}

/** A day without a time is the midnight of the person's zone, given in UTC. A floating time stays as it is on the clock. */
function dayOf(cell: NamedRow['cell'], name: string, here: string) {
  const [text, zone] = [cell(name), cell('Timezone')]
  const own = zoneNamed(zone) ?? here
  const isAllDay = cell('Is All Day').toLowerCase() === 'true'
  const isFloating = cell('Is Floating').toLowerCase() === 'true'
  const hasOffset = /(Z|[+-]\d{2}:?\d{2})$/i.test(text) && text.length > 12
  const instant = hasOffset ? instantIn(text, own) : undefined
  const said =
    instant === undefined ? wallClockIn(text, own) : wallClockOf(instant, isAllDay || isFloating ? own : here)
  const there = instant === undefined ? said?.day : wallClockOf(instant, own).day
  return said && { day: said.day, time: isAllDay ? null : said.time, there: there ?? said.day }
}
