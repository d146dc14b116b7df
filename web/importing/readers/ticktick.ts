import type { Priority } from '#contract/task-fields.ts'
import { wallClockOf } from '#contract/zone-clock.ts'
import { reminderOf } from '../parsing/alarms.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import { instantIn, storedInstant, wallClockIn } from '../parsing/days.ts'
import { type NamedRow, namedRows, rawOf, recordsOf } from '../parsing/records.ts'
import { zoneNamed } from '../parsing/zone-names.ts'
import type { Reader } from './reader.ts'

const priorities: Record<string, Priority> = {
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
  async read(files, build) {
    for (const file of files) {
      const records = recordsOf(await file.text(), file.path, ',')
      const start = records.findIndex(({ values }) => isHeader(values))
      for (const row of namedRows(records, start)) readRow(row, file.path, build)
    }
  },
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
  if (cell('Column Name') !== '') build.leaveOut(at, 'Column Name', cell('Column Name'))
  const lines = content.split('\n')
  const boxes = lines.flatMap((line) => {
    const [, sign, text] = box.exec(line) ?? []
    return text === undefined ? [] : [{ text, isDone: sign === '▪' }]
  })
  const start = dayOf(cell, 'Start Date', zone)
  const due = dayOf(cell, 'Due Date', zone) ?? start
  const ruleStart = start ?? due
  const status = cell('Status')
  if (status === '-1') build.remark(at, 'wont-do', {})
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
    priority: priorities[cell('Priority').toLowerCase()],
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
