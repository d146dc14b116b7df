import type { ImportBuilder } from '../parsing/build-import.ts'
import { instantIn, isDay, storedInstant } from '../parsing/days.ts'
import { arrayIn, type JsonObject, objectIn, objectsIn, parseJson, textIn } from '../parsing/json.ts'
import type { Reader } from './reader.ts'

/** `Tasks.json` of Google Takeout. */
export const googleTasks: Reader = {
  label: 'Google Tasks',
  finds: (files) =>
    files.filter(({ beginning = '' }) => /^\s*\{\s*"kind"\s*:\s*"tasks#taskLists"/.test(beginning)),
  async read(files, build) {
    for (const { path, ...file } of files) {
      const whole = objectIn(parseJson(await file.text(), path), 'lists of tasks', { file: path })
      const lists = arrayIn(whole.items, 'lists of tasks', { file: path })
      for (const list of objectsIn(lists))
        for (const task of inOrder(objectsIn(list.items))) addTask(task, textIn(list.title), path, build)
    }
  },
}

/** The tasks, and the parts of one, as their list shows them. */
const inOrder = (tasks: JsonObject[]) =>
  tasks.toSorted(({ position: one }, { position: other }) => {
    const [before, after] = [textIn(one), textIn(other)]
    return Number(before > after) - Number(before < after)
  })

function addTask(task: JsonObject, list: string, file: string, build: ImportBuilder) {
  const [id, title, due] = [textIn(task.id), textIn(task.title), textIn(task.due)]
  const at = build.row({ file }, title)
  if (task.deleted === true) {
    build.remark(at, 'row-left-out', { reason: 'deleted' })
    return
  }
  const instant = (name: string) => storedInstant(instantIn(textIn(task[name]), 'UTC'))
  // The midnight of the day in UTC, wherever the person is.
  const day = due.slice(0, 10)
  build.addTask({
    ...{ row: at, key: id || undefined, parent: textIn(task.parent) || undefined, title, list },
    body: textIn(task.notes),
    lines: objectsIn(task.links).map(({ link, description }) => {
      const [address, name] = [textIn(link), textIn(description)]
      return name === '' ? address : `${name}: ${address}`
    }),
    dueDate: isDay(day) ? day : null,
    dueText: isDay(day) ? undefined : due,
    isDone: task.status === 'completed',
    doneAt: task.status === 'completed' ? instant('completed') : null,
    createdAt: instant('created'),
  })
}
