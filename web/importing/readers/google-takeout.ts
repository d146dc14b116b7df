import { isDay } from '#contract/fields.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import { instantIn, storedInstant } from '../parsing/days.ts'
import type { ImportedFile } from '../parsing/entries.ts'
import { arrayIn, type JsonObject, objectIn, objectsIn, parseJson, textIn } from '../parsing/json.ts'
import { type Reader, readTexts } from './reader.ts'

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
  if (task.deleted === true) return build.remark(at, 'row-left-out', { reason: 'deleted' })
  const instant = (name: string) => storedInstant(instantIn(textIn(task[name]), 'UTC'))
  // The midnight of the day in UTC, wherever the person is.
  const day = due.slice(0, 10)
  build.addTask({
    ...{ row: at, key: id || undefined, parent: textIn(task.parent) || undefined, title, list },
    body: textIn(task.notes),
    lines: objectsIn(task.links).flatMap(({ link, description }) => {
      const [address, name] = [textIn(link), textIn(description)]
      return [name, address].filter(Boolean).join(': ') || []
    }),
    dueDate: isDay(day) ? day : null,
    dueText: isDay(day) ? undefined : due,
    isDone: task.status === 'completed',
    doneAt: task.status === 'completed' ? instant('completed') : null,
    createdAt: instant('created'),
  })
}

const isNote = (beginning: string) => /"(isTrashed|userEditedTimestampUsec)"\s*:/.test(beginning)

/** The notes of Google Takeout: a JSON file for each, beside the same as HTML. */
export const keep: Reader = {
  label: 'Google Keep',
  finds(files) {
    const folders = new Set(
      files.flatMap(({ path, beginning }) =>
        path.endsWith('.json') && isNote(beginning ?? '') ? [path.replace(/[^/]*$/, '')] : [],
      ),
    )
    return files.filter(({ path }) => folders.has(path.replace(/[^/]*$/, '')))
  },
  async read(files, build) {
    const names = new Set(files.map(({ path }) => path))
    const [notes, others] = [true, false].map((isJson) =>
      files.filter(({ path }) => path.endsWith('.json') === isJson),
    ) as [ImportedFile[], ImportedFile[]]
    for await (const { path, text } of readTexts(notes))
      addNote(objectIn(parseJson(text, path), 'a note', { file: path }), path, build)
    for (const { path } of others)
      if (!names.has(path.replace(/\.html$/i, '.json')) && !path.endsWith('/Labels.txt'))
        build.remark(build.row({ file: path }, path), 'file-left-out', {})
  },
}

function addNote(note: JsonObject, file: string, build: ImportBuilder) {
  const [title, text] = [textIn(note.title), textIn(note.textContent)]
  const at = build.row({ file }, title || text)
  if (note.isTrashed === true) return build.remark(at, 'row-left-out', { reason: 'deleted' })
  const microseconds = (name: string) => storedInstant(Math.floor(Number(note[name]) / 1000))
  const attachments = objectsIn(note.attachments).map(({ filePath }) => textIn(filePath))
  for (const name of attachments) build.remark(at, 'attachment-left-out', { name })
  const boxes = objectsIn(note.listContent).map(
    (item) =>
      `- [${item.isChecked === true ? 'x' : ' '}] ${textIn(item.text).replace(/(?<!\s)\s*\n\s*/g, ' ')}`,
  )
  const links = objectsIn(note.annotations).flatMap(({ url, title: name }) => {
    const address = textIn(url)
    return address === '' || text.includes(address)
      ? []
      : [textIn(name) ? `${textIn(name)}: ${address}` : address]
  })
  const parts = [
    text,
    boxes.join('\n'),
    links.join('\n'),
    attachments.map((name) => `Attachment: ${name}`).join('\n'),
  ]
  build.addNote({
    ...{ row: at, title, text: parts.filter((part) => part.trim() !== '').join('\n\n') },
    tags: [
      ...objectsIn(note.labels).map(({ name }) => textIn(name)),
      ...(note.isArchived === true ? ['archived'] : []),
    ],
    pinned: note.isPinned === true,
    createdAt: microseconds('createdTimestampUsec'),
    changedAt: microseconds('userEditedTimestampUsec'),
  })
}
