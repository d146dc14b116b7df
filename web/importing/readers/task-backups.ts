import { isDay } from '#contract/fields.ts'
import { isObject } from '#contract/matches-schema.ts'
import type { Priority } from '#contract/task-fields.ts'
import type { ImportedRow, SourceItem } from '../../engine/imported.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import { clockAt, minutesFrom, remindersAt, storedInstantIn } from '../parsing/days.ts'
import { beginningWith, eachText, isBeside, type Reader } from '../parsing/entries.ts'
import { markdownInHtml } from '../parsing/html.ts'
import {
  arrayIn,
  fieldsIn,
  type JsonObject,
  objectsIn,
  parseJson,
  parseObject,
  sortedBy,
  textIn,
} from '../parsing/json-and-tables.ts'
import { reminderAt } from '../parsing/task-values.ts'

/** `Tasks.json` of Google Takeout. */
export const googleTasks: Reader = {
  label: 'Google Tasks',
  finds: beginningWith(/^\s*\{\s*"kind"\s*:\s*"tasks#taskLists"/),
  read: eachText((text, file, build) => {
    const { items } = parseObject(text, 'no-task-lists', { file })
    for (const list of objectsIn(arrayIn(items, 'no-task-lists', { file })))
      for (const task of inOrder(objectsIn(list.items))) addGoogleTask(task, textIn(list.title), file, build)
  }),
}

const inOrder = (tasks: JsonObject[]) => sortedBy(tasks, ({ position }) => textIn(position))

function addGoogleTask(task: JsonObject, list: string, file: string, build: ImportBuilder) {
  const [id, title, due] = [textIn(task.id), textIn(task.title), textIn(task.due)]
  const at = build.row({ file }, title)
  if (task.deleted === true) return build.remark(at, 'deleted')
  // The midnight of the day in UTC, wherever the person is.
  const day = due.slice(0, 10)
  build.add({
    ...{ row: at, key: id, parent: textIn(task.parent), title, list },
    body: textIn(task.notes),
    lines: objectsIn(task.links).flatMap(({ link, description }) => {
      const [address, name] = [textIn(link), textIn(description)]
      return [name, address].filter(Boolean).join(': ') || []
    }),
    due: isDay(day) ? { day, time: null } : due,
    done: task.status === 'completed' && (storedInstantIn(textIn(task.completed)) ?? true),
    createdAt: storedInstantIn(textIn(task.created)),
  })
}

const priorities: Priority[] = ['medium', 'low', 'medium', 'high', 'high', 'high']

const dayLength = 86_400

export const vikunja: Reader = {
  label: 'Vikunja',
  finds(files) {
    const data = files.find(
      ({ path, zip, beginning = '' }) =>
        /(^|\/)data\.json$/.test(path) &&
        /^\s*\[/.test(beginning) &&
        files.some((other) => other.zip === zip && other.path === path.replace(/data\.json$/, 'VERSION')),
    )
    return files.filter((file) => data && isBeside(file, data))
  },
  async read(files, build) {
    for (const file of files)
      if (/(^|\/)data\.json$/.test(file.path)) await readProjects(await file.text(), file.path, build)
      else if (/(^|\/)filters\.json$/.test(file.path)) build.leaveOut(file.path)
  },
}

async function readProjects(text: string, file: string, build: ImportBuilder) {
  const projects = [...objectsIn(arrayIn(parseJson(text, file), 'no-projects', { file }))]
  const wholes = new Map<string, string>()
  const found: { task: JsonObject; list: string }[] = []
  // A list that grows: projects may be in projects.
  for (const project of projects) {
    projects.push(...objectsIn(project.child_projects))
    // Before 0.21, these were in namespaces.
    for (const list of [...objectsIn(project.lists), ...objectsIn(project.projects)])
      projects.push({ ...list, title: `${textIn(project.title)}/${textIn(list.title)}` })
    for (const task of objectsIn(project.tasks)) {
      found.push({ task, list: textIn(project.title) })
      const { subtask, parenttask } = fieldsIn(task.related_tasks)
      for (const part of objectsIn(subtask)) wholes.set(textIn(part.id), textIn(task.id))
      for (const whole of objectsIn(parenttask)) wholes.set(textIn(task.id), textIn(whole.id))
    }
  }
  for (const { task, list } of found) {
    const at = build.row({ file }, textIn(task.title))
    build.add({ ...(await vikunjaTask(task, at, build)), list, parent: wholes.get(textIn(task.id)) })
  }
}

async function vikunjaTask(task: JsonObject, at: ImportedRow, build: ImportBuilder): Promise<SourceItem> {
  const { zone } = build.options
  const id = textIn(task.id)
  // A time that is not set is the year 1.
  const instant = (value: unknown) => storedInstantIn(textIn(value))
  const clock = (value: unknown) => clockAt(instant(value), zone)
  const due = clock(task.due_date)
  const spanned = (name: string, value: unknown) => {
    const day = clock(value)?.day
    return day === undefined || day === due?.day ? [] : [`${name}: ${day}`]
  }
  /** A reminder with a period counts from a day of the task, one without is of its own day. */
  const reminderOf = ({ reminder, relative_to: to, relative_period: period }: JsonObject) => {
    const from = clock(task[textIn(to)])
    if (due && from && typeof period === 'number' && /^(due|start|end)_date$/.test(textIn(to)))
      return [reminderAt(minutesFrom(due, from) + Math.round(period / 60), time !== null)]
    return remindersAt(clock(reminder))
  }
  const dates: unknown[] = Array.isArray(task.reminder_dates) ? task.reminder_dates : []
  const time = due?.time === '00:00' ? null : (due?.time ?? null)
  for (const { username } of objectsIn(task.assignees))
    build.remark(at, 'value-left-out', 'assignees', textIn(username))
  return {
    // Each server counts from 1.
    ...{ row: at, key: id && `${id} ${textIn(task.created)}`, ref: id, title: textIn(task.title) },
    body: await markdownInHtml(textIn(task.description)),
    lines: [...spanned('Start', task.start_date), ...spanned('End', task.end_date)],
    tags: objectsIn(task.labels).map((label) => textIn(label.title)),
    comments: await Promise.all(
      objectsIn(task.comments).map(async ({ comment, author, created }) => ({
        heading: [textIn(fieldsIn(author).username), clock(created)?.day].filter(Boolean).join(', '),
        text: await markdownInHtml(textIn(comment)),
      })),
    ),
    attachments: objectsIn(task.attachments).map(({ file: added }) =>
      isObject(added) ? textIn(added.name) : 'file',
    ),
    due: due && { day: due.day, time },
    ...repeatOf(Number(task.repeat_after), Number(task.repeat_mode)),
    reminders: [...objectsIn(task.reminders), ...dates.map((reminder) => ({ reminder }))].flatMap(reminderOf),
    priority: priorities[Number(task.priority)],
    done: task.done === true && (instant(task.done_at) ?? true),
    createdAt: instant(task.created),
  }
}

/** `repeat_mode`: 0 counts from the due day, 1 is each month, 2 counts from the completion. */
function repeatOf(seconds: number, mode: number): Pick<SourceItem, 'repeat' | 'repeatFrom'> {
  if (mode === 1) return { repeat: 'FREQ=MONTHLY' }
  if (!(seconds > 0)) return {}
  const repeatFrom = mode === 2 ? 'done' : 'due'
  const days = seconds / dayLength
  if (!Number.isInteger(days)) return { repeat: `every ${seconds} seconds`, repeatFrom }
  const repeat = days % 7 === 0 ? `FREQ=WEEKLY;INTERVAL=${days / 7}` : `FREQ=DAILY;INTERVAL=${days}`
  return { repeat, repeatFrom }
}
