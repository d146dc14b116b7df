import type { Priority } from '#contract/task-fields.ts'
import { wallClockOf } from '#contract/zone-clock.ts'
import type { SourceItem } from '../../engine/imported.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import { dayInTable, instantIn, storedInstantIn, wallClockIn, zoneNamed } from '../parsing/days.ts'
import { baseName, beginningWith, eachText, type Reader } from '../parsing/entries.ts'
import { asLine, attached } from '../parsing/fitted-text.ts'
import { type NamedRow, namedRows, rawOf, recordsOf } from '../parsing/json-and-tables.ts'
import { reminderOf } from '../parsing/task-values.ts'

/** 1 is the highest in files, and what an empty one means. */
const priorities: Record<string, Priority> = { '': 'high', 1: 'high', 2: 'medium', 3: 'low', 4: 'low' }

const label = /(?<!\S)@([^\s@]+)/g
const attachment = /\[\[file (\{[^\n]{0,2000}?\})\]\]/g
const beginsLikeRepeat = /^(ev|every|daily|weekly|monthly|yearly|jed|täglich|wöchentlich|chaque|tou[ts])/i

/** The CSV of a project, or the zip of these that Todoist keeps as a backup. */
export const todoist: Reader = {
  label: 'Todoist',
  finds: beginningWith(/^"?TYPE"?,"?CONTENT"?,(.{0,480},)?"?INDENT"?(,|\s)/i),
  read: eachText(readProject),
}

function readProject(text: string, file: string, build: ImportBuilder) {
  const project = baseName(file).replace(/ \[\w+\]$/, '')
  let list = project
  /** The tasks that the next row can be a part of, by their indent. */
  let wholes: SourceItem[] = []
  let last: SourceItem | undefined
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
    } else if (type === 'note') {
      const text = content.replace(attachment, (_, json: string) => {
        const name = /"file_name"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(json)?.[1] ?? 'file'
        return attached([name], at)
      })
      if (last) {
        at.becomes = 'comment'
        last.comments?.push({ heading: dayIn(cell('DATE'), build)?.day ?? cell('DATE'), text })
        last.parts?.push(at)
      } else build.add({ kind: 'note', row: at, title: project, body: text, list: project })
    } else if (type === 'task') {
      const depth = Math.max(0, Math.min(wholes.length, (Number.parseInt(cell('INDENT'), 10) || 1) - 1))
      const tags = [...content.matchAll(label)].map(([, name = '']) => name)
      const title = asLine(content.replace(label, '')) || content
      const task: SourceItem = {
        ...{ row: at, ref: `${file} ${row}`, raw: `${list}\n${rawOf(named)}` },
        parent: wholes[depth - 1]?.ref,
        ...{ title, tags, list, body: cell('DESCRIPTION'), comments: [], parts: [] },
        ...dueOf(cell('DATE'), cell('DEADLINE'), build),
        priority: priorities[cell('PRIORITY')],
      }
      for (const name of ['RESPONSIBLE', 'DURATION'])
        if (cell(name) !== '' && cell(name) !== 'None') build.remark(at, 'value-left-out', name, cell(name))
      build.add(task)
      wholes = [...wholes.slice(0, depth), task]
      last = task
    } else build.remark(at, 'no-item')
  }
}

const dayIn = (text: string, { options }: ImportBuilder) => dayInTable(text, options, true)

function dueOf(date: string, deadline: string, build: ImportBuilder) {
  const due = dayIn(date || deadline, build)
  const isRepeat = !due && beginsLikeRepeat.test(date)
  return {
    due: due ?? (isRepeat ? undefined : date || deadline),
    ...{ repeat: due?.repeat ?? (isRepeat ? date : undefined), repeatFrom: due?.repeatFrom },
    lines: date && deadline ? [`Deadline: ${dayIn(deadline, build)?.day ?? deadline}`] : [],
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
  const instant = (name: string) => storedInstantIn(cell(name), zone)
  const [folder, name] = [cell('Folder Name'), cell('List Name')]
  const isNote = cell('Kind').toUpperCase() === 'NOTE'
  if (!isNote && cell('Column Name') !== '')
    build.remark(at, 'value-left-out', 'Column Name', cell('Column Name'))
  const content = cell('Content').replace(/\r\n?/g, '\n')
  const lines = content.split('\n')
  const start = dayOf(cell, 'Start Date', zone)
  const due = dayOf(cell, 'Due Date', zone) ?? start
  const ruleStart = start ?? due
  const status = cell('Status')
  if (!isNote && status === '-1') build.remark(at, 'wont-do')
  build.add({
    ...{ kind: isNote ? 'note' : 'task', row: at, raw: rawOf(named), title: cell('Title') },
    // The ids of a backup count its rows: another backup has the same ones for other tasks.
    key: cell('Created Time') && `${cell('Created Time')} ${cell('Title')}`,
    ...{ ref: cell('taskId'), parent: cell('parentId') },
    list: folder === '' ? name : `${folder}/${name}`,
    tags: cell('Tags').split(','),
    createdAt: instant('Created Time'),
    body: isNote ? content : lines.filter((line) => !box.test(line)).join('\n'),
    checklist: lines.flatMap((line) => {
      const [, sign, text] = box.exec(line) ?? []
      return text === undefined ? [] : [{ text, isDone: sign === '▪' }]
    }),
    due: due ?? (cell('Due Date') || cell('Start Date')),
    lines: start && due && start.day !== due.day ? [`Start: ${start.day}`] : [],
    repeat: cell('Repeat'),
    ruleStart: ruleStart && { day: ruleStart.there, here: ruleStart },
    reminders: cell('Reminder')
      .split(/[,\n]/)
      .filter((each) => each.trim() !== '')
      .map((each) => reminderOf(each, due?.time != null)),
    priority: priorityNames[cell('Priority').toLowerCase()],
    done: (status !== '0' && instant('Completed Time')) || ['1', '2', '-1'].includes(status),
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
