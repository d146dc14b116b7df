import type { SourceTask } from '../parsing/source-items.ts'
import { pastedName, type Reader } from './reader.ts'

const item = /^(\s*)(?:[-*+•]|\d{1,9}[.)])\s+(?:\[([ xX]?)\]\s+)?(.*)$/u
const heading = /^#{1,6}\s+(.*)$/

/** The width of the space before an item, in which a tab is as wide as four spaces. */
const widthOf = (space: string) => space.replaceAll('\t', '    ').length

/** A list in Markdown that was pasted: an item inside another one is a checkbox of it, other lines are its body. */
export const outline: Reader = {
  label: 'Pasted list',
  finds: (files) =>
    files.filter(({ path, beginning = '' }) => {
      const [first = ''] = beginning.trimStart().split('\n', 1)
      return path === pastedName && (item.test(first) || heading.test(first))
    }),
  async read(files, build) {
    for (const file of files) {
      const lines = (await file.text()).split(/\r\n?|\n/)
      let list: string | null = null
      /** The items that the next one can be inside of. */
      let wholes: { task: SourceTask; width: number }[] = []
      for (const [index, line] of lines.entries()) {
        if (line.trim() === '') continue
        const place = { file: file.path, row: index + 1 }
        const [, name] = heading.exec(line) ?? []
        const [, space = '', box, title] = item.exec(line) ?? []
        const last = wholes.at(-1)?.task
        if (name !== undefined) {
          build.row(place, name, 'list')
          list = name
          wholes = []
        } else if (title === undefined && last) {
          const text = build.row(place, line, 'text')
          last.body = last.body ? `${last.body}\n${line.trim()}` : line.trim()
          last.parts?.push(text)
        } else {
          const width = widthOf(space)
          wholes = wholes.filter((whole) => whole.width < width)
          const task: SourceTask = {
            ...{ row: build.row(place, title ?? line), parts: [], ref: String(index), list },
            ...{ parent: wholes.at(-1)?.task.ref, title: title ?? line.trim(), isDone: /x/i.test(box ?? '') },
          }
          build.addTask(task)
          wholes.push({ task, width })
        }
      }
    }
  },
}
