import type { SourceItem } from '../../engine/imported.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import { baseName, type Reader, readTexts } from '../parsing/entries.ts'
import { recordsOf } from '../parsing/json-and-tables.ts'
import { readNotes } from './markdown.ts'
import { guessed, tasksOf } from './table.ts'

const isOfNotion = /\s[\da-f]{32}(_all)?\.(md|csv)$/
/** The id of a page follows its name. */
const nameOf = (path: string) => path.replace(/[ _][\da-f]{32}(?=_all\.|[./]|$)/g, '')
const property = /^([^:\n]{1,100}):(?:\s|$)/

/** The export of Notion in Markdown and CSV: a page is a note, and a database with days or states has a task for each of its pages. */
export const notion: Reader = {
  label: 'Notion',
  finds: (files) => (files.some(({ path }) => isOfNotion.test(path)) ? [...files] : []),
  async read(files, build) {
    const paths = new Set(files.map(({ path }) => path))
    const tables = files.filter(({ path }) => /\.csv$/.test(path))
    /** The tasks of each database that wait for their pages, by their titles. */
    const databases = new Map<string, Map<string, SourceItem[]>>()
    // A database that is shown with a filter is there as a whole, too.
    const whole = tables.filter(({ path }) => !paths.has(path.replace(/\.csv$/, '_all.csv')))
    for await (const { path, text } of readTexts(whole)) {
      const folder = path.replace(/(_all)?\.csv$/, '')
      const hasPages = [folder, nameOf(folder)].some((name) =>
        files.some((file) => file.path.startsWith(`${name}/`)),
      )
      const tasks = databaseTasks(path, text, hasPages, build)
      if (tasks) for (const name of [folder, nameOf(folder)]) databases.set(name, tasks)
    }
    await readNotes(files, build, {
      nameOf,
      read: new Set(tables.map(({ path }) => path)),
      taskOf(path, text) {
        const [, title = '', said = ''] = /^\s*#\s+([^\n]*)\n?([\s\S]*)$/.exec(text) ?? []
        const task = databases
          .get(path.replace(/\/[^/]*$/, ''))
          ?.get(title.trim())
          ?.shift()
        return task && { task, text: withoutProperties(said) }
      },
    })
    // What has no page of its own.
    for (const tasks of new Set(databases.values()))
      for (const some of tasks.values()) for (const task of some) build.add(task)
  },
}

/** The tasks of a database by their titles, or undefined if its pages are notes. */
function databaseTasks(path: string, text: string, hasPages: boolean, build: ImportBuilder) {
  const [first, ...rows] = recordsOf(text, path, ',')
  if (!first) return undefined
  // The first column is the titles of the pages.
  const columns = guessed(first.values, rows, { title: 0 })
  if (hasPages && columns.dueDate === undefined && columns.doneAt === undefined) return undefined
  const list = baseName(nameOf(path)).replace(/_all$/, '')
  const tasks = [...tasksOf(rows, first.values, columns, path, build)]
  return Map.groupBy(
    tasks.map((task) => ({ ...task, list: task.list ?? list })),
    ({ title = '' }) => title,
  )
}

/** A page of a database begins with the values of its columns, which its row has, too. */
function withoutProperties(text: string): string {
  const lines = text.trimStart().split('\n')
  const end = lines.findIndex((line) => !property.test(line))
  return lines.slice(end < 0 ? lines.length : end).join('\n')
}
