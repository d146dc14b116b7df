import type { Priority } from '#contract/task-fields.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import { dayInTable } from '../parsing/day-words.ts'
import type { ImportedRow } from '../parsing/imported.ts'
import { namedRows, rawOf, recordsOf } from '../parsing/records.ts'
import type { SourceTask } from '../parsing/source-items.ts'
import { baseName, type Reader } from './reader.ts'

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
  async read(files, build) {
    for (const file of files) readProject(await file.text(), file.path, build)
  },
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
      if (cell('DESCRIPTION') !== '') build.leaveOut(at, 'DESCRIPTION', cell('DESCRIPTION'))
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
        if (cell(name) !== '' && cell(name) !== 'None') build.leaveOut(at, name, cell(name))
      build.addTask(task)
      wholes = [...wholes.slice(0, depth), task]
      last = task
    } else build.remark(at, 'row-left-out', { reason: 'no task' })
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
    build.remark(at, 'attachment-left-out', { name })
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
