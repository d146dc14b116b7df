import type { Priority } from '#contract/task-fields.ts'
import type { SourceItem, SourcePlace } from '../../engine/imported.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import { storedInstantIn, wallClockIn } from '../parsing/days.ts'
import { linesOf } from '../parsing/decoded-text.ts'
import { eachText, pastedName, type Reader } from '../parsing/entries.ts'

const day = /^\d{4}-\d{2}-\d{2}$/
const start = /^(x\s+)?(?:\(([A-Z])\)\s+)?(?:(\d{4}-\d{2}-\d{2})\s+)?(?:(\d{4}-\d{2}-\d{2})\s+)?/
const isTyped = /^(?:x \d{4}-\d{2}-\d{2} |\([A-Z]\) )/
const rule = /^(\+?)(\d{1,3})([dwmy])$/
const frequencies: Record<string, string> = { d: 'DAILY', w: 'WEEKLY', m: 'MONTHLY', y: 'YEARLY' }

/** The tasks of todo.txt, one a line. */
export const todoTxt: Reader = {
  label: 'todo.txt',
  finds: (files) =>
    files.filter(
      ({ path, beginning = '' }) =>
        /(^|\/)(todo|done)\.txt$/i.test(path) ||
        ((path === pastedName || /\.txt$/i.test(path)) && isTyped.test(beginning)),
    ),
  read: eachText((text, path, build) => {
    for (const { line, row } of linesOf(text))
      if (line.trim() !== '') addTask(line.trim(), { file: path, row }, build)
  }),
}

const priorityOf = (letter: string): Priority | undefined =>
  letter === '' ? undefined : letter === 'A' ? 'high' : letter === 'B' ? 'medium' : 'low'

function addTask(line: string, place: SourcePlace, build: ImportBuilder) {
  const { zone } = build.options
  const [whole = '', x, letter = '', first, second] = start.exec(line) ?? []
  const isDone = x !== undefined
  const words = line.slice(whole.length).split(/\s+/)
  const values = new Map<string, string>()
  const [projects, contexts]: [string[], string[]] = [[], []]
  const kept: string[] = []
  for (const word of words) {
    const [name = ''] = word.split(':', 1)
    const value = word.slice(name.length + 1)
    if (/^\+\S/.test(word)) projects.push(word.slice(1))
    else if (/^@\S/.test(word)) contexts.push(word.slice(1))
    else if (['due', 'rec', 'pri', 't'].includes(name) && value !== '' && !values.has(name))
      values.set(name, value)
    else kept.push(word)
  }
  const at = build.row(place, kept.join(' ') || line)
  const instant = (text = '') => storedInstantIn(text, zone)
  const due = values.get('due') ?? ''
  const [, plus, count, unit = ''] = rule.exec(values.get('rec') ?? '') ?? []
  const [list, ...others] = projects
  const threshold = values.get('t')
  build.add({
    ...{ row: at, raw: line, title: kept.join(' ') || line, list, tags: [...others, ...contexts] },
    due: (day.test(due) ? wallClockIn(due, zone) : undefined) ?? due,
    lines: threshold === undefined ? [] : [`Start: ${threshold}`],
    repeat: count === undefined ? values.get('rec') : `FREQ=${frequencies[unit]};INTERVAL=${Number(count)}`,
    repeatFrom: plus === '' ? 'done' : 'due',
    priority: priorityOf(letter || (/^[A-Z]$/.exec(values.get('pri') ?? '')?.[0] ?? '')),
    ...{ done: isDone && (instant(first) ?? true), createdAt: instant(isDone ? second : first) },
  })
}

const item = /^(\s*)(?:[-*+•]|\d{1,9}[.)])\s+(?:\[([ xX]?)\]\s+)?(.*)$/u
const heading = /^#{1,6}\s+(.*)$/

/** A tab is as wide as four spaces. */
const widthOf = (space: string) => space.replaceAll('\t', '    ').length

/** A list in Markdown that was pasted: an item inside another one is a checkbox of it, other lines are its body. */
export const outline: Reader = {
  label: 'Pasted list',
  finds: (files) =>
    files.filter(({ path, beginning = '' }) => {
      const [first = ''] = beginning.trimStart().split('\n', 1)
      return path === pastedName && (item.test(first) || heading.test(first))
    }),
  read: eachText((text, file, build) => {
    const lines = text.split(/\r\n?|\n/)
    let list: string | null = null
    /** The items that the next one can be inside of. */
    let wholes: { task: SourceItem; width: number }[] = []
    for (const [index, line] of lines.entries()) {
      if (line.trim() === '') continue
      const place = { file, row: index + 1 }
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
        const task: SourceItem = {
          ...{ row: build.row(place, title ?? line), parts: [], ref: String(index), list },
          ...{ parent: wholes.at(-1)?.task.ref, title: title ?? line.trim(), done: /x/i.test(box ?? '') },
        }
        build.add(task)
        wholes.push({ task, width })
      }
    }
  }),
}
