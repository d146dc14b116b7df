import { isBlank } from '#contract/blank.ts'
import { defaultsOf } from '#contract/fields.ts'
import { hashedId } from '#contract/hashed-id.ts'
import { titleLength } from '#contract/limits.ts'
import { defaultPriority } from '#contract/lists.ts'
import { taskFields } from '#contract/task-fields.ts'
import { wallClockOf } from '#contract/zone-clock.ts'
import type {
  Imported,
  ImportedRow,
  ImportedTask,
  ImportOptions,
  SourceItem,
  SourcePlace,
} from '../../engine/imported.ts'
import { asLine, cutTo, fittedTexts, isLonger, paragraphs, partOf, splitText } from './fitted-text.ts'
import { importLimits, Refusal, remark, stored } from './remarks.ts'
import { dueDayOf, remindersOf, ruleOf, saidDay } from './task-values.ts'

export type ImportBuilder = ReturnType<typeof createImport>

/** Collects what a reader finds, and makes it fit into an account. `source`: the name of the reader, a part of each id. */
export function createImport(source: string, label: string, options: ImportOptions) {
  const [nextTime, nextDoneTime] = [timesBefore(options.now), timesBefore(options.now)]
  const here = wallClockOf(options.now.getTime(), options.zone)
  const imported: Imported = {
    ...{ source, label, tasks: [], notes: [], versions: [], settings: null, rows: [], table: null },
    ...{ hasUnclearDays: false, isDayFirst: true },
  }
  const found: SourceItem[] = []
  const counts = new Map<string, number>()

  /** The id of an item, by what its source says about it and how often it has said the same. */
  function idOf({ kind = 'task', key, raw }: SourceItem, content: unknown[]) {
    const isRaw = kind === 'task' && raw !== undefined
    const name = `${kind} ${key || `of ${JSON.stringify(isRaw ? [raw] : content)}`}`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return hashedId([options.account, source, name, count].join('\n'))
  }

  function row(place: SourcePlace, text: string, becomes: ImportedRow['becomes'] = 'nothing'): ImportedRow {
    if (imported.rows.length >= importLimits.rows)
      throw new Refusal('too-many-rows', place, importLimits.rows)
    const [line = ''] = text.trimStart().split(/[\r\n]/, 1)
    const shown = cutTo(line, 200).toWellFormed()
    const added: ImportedRow = { place, text: shown, becomes, item: null, remarks: [] }
    imported.rows.push(added)
    return added
  }

  function claim({ row: at, parts = [] }: SourceItem, id: string, becomes: ImportedRow['becomes']) {
    at.becomes = becomes
    for (const each of [at, ...parts]) each.item = id
  }

  function addNote(note: SourceItem) {
    const title = asLine(stored(note.title ?? '', note.row))
    const text = stored(note.body ?? '', note.row)
    if (isBlank(title) && isBlank(text)) return remark(note.row, 'blank-row')
    const id = idOf(note, [title, text, note.list ?? null])
    const whole = isBlank(title) ? text : isBlank(text) ? `# ${title}` : `# ${title}\n\n${text}`
    const name = title || (text.trimStart().split('\n', 1)[0] ?? '').replace(/^#+\s+/, '')
    const until = note.changedAt ?? nextTime()
    const { first, rest, frame } = splitText(note, id, whole, name, until)
    const times = { changedAt: note.changedAt ?? frame.createdAt, deletedAt: null }
    imported.notes.push({ _id: id, text: first, pinned: note.pinned ?? false, ...frame, ...times }, ...rest)
    claim(note, id, 'note')
  }

  function addTree({ root, parts }: Tree<SourceItem>) {
    const { row: at, done } = root
    let title = asLine(stored(root.title ?? '', at))
    const lines = (root.lines ?? []).map((line) => stored(line, at))
    const [body = '', ...others] = fittedTexts(root)
    const boxes = parts.map(({ item, depth }) => partOf(item, depth)).join('\n')
    let text = body
    if (isBlank(title)) {
      const first = body.split('\n').find((line) => !isBlank(line))
      if (first === undefined && parts.length === 0 && others.every(isBlank)) return remark(at, 'blank-row')
      title = first?.trim() ?? 'Untitled'
      remark(at, 'title-missing')
    }
    const whole = title
    if (isLonger(title, titleLength.max)) {
      title = cutTo(title, titleLength.max)
      text = text === '' ? whole : `${whole}\n\n${text}`
      remark(at, 'title-cut', titleLength.max)
    }
    const due = dueDayOf(root, lines)
    const rule = ruleOf(root, due, lines, options.zone)
    const doneAt = done === true ? nextDoneTime() : done || null
    if (done === true) remark(at, 'done-without-time')
    const id = idOf(root, [whole, body, saidDay(root.due) ?? null, root.list ?? null])
    const all = paragraphs([text, boxes, lines.join('\n'), ...others])
    const until = (done !== true && doneAt) || nextTime()
    const { first, rest, frame } = splitText(root, id, all, title, until)
    imported.notes.push(...rest)
    imported.tasks.push({
      ...{ ...defaultsOf(taskFields), _id: id, title, body: first, doneAt },
      ...{ dueTime: due?.time ?? null, ...rule, ...frame, priority: root.priority ?? defaultPriority },
      reminders: remindersOf(root, due, `${here.day}T${here.time}`),
      placeInFile: imported.tasks.length + 1,
    })
    claim(root, id, 'task')
    for (const { item } of parts) claim(item, id, 'checkbox')
  }

  return {
    options,
    imported,
    row,
    remark,
    leaveOut: (path: string) => remark(row({ file: path }, path), 'file-left-out'),
    /** Adds a task, a part of one or a note. The whole of a part may follow. */
    add(item: SourceItem) {
      if (item.kind === 'note') addNote(item)
      else found.push(item)
    },
    /** The id of the first item with this id in the source, so that links can lead to it before it is added. */
    idOfKey: (kind: 'task' | 'note', key: string) =>
      hashedId([options.account, source, `${kind} ${key}`, 1].join('\n')),
    /** Called when all items are added. */
    finish(): Imported {
      treesOf(found).forEach(addTree)
      if (found.length > 0)
        for (const name of ['createdAt', 'doneAt'] as const) setApart(imported.tasks, name)
      return imported
    },
  }
}

/** Returns times, each before the one before it: lists that begin with the newest item have the order of the file. */
function timesBefore(now: Date) {
  let time = now.getTime()
  return () => new Date(time--).toISOString()
}

/** Sets equal times of tasks apart by milliseconds: lists that begin with the newest task have the order of the file. */
function setApart(tasks: ImportedTask[], name: 'createdAt' | 'doneAt') {
  for (const [time, equal] of Map.groupBy(tasks, (task) => task[name]))
    for (const [index, task] of equal.toReversed().entries())
      if (time !== null && index > 0) task[name] = new Date(Date.parse(time) + index).toISOString()
}

type Tree<Item> = { root: Item; parts: { item: Item; depth: number }[] }

/**
 * Returns the items that are parts of none, each with its parts in their order and how deep they are. A part may be before its whole.
 * Of items that are parts of each other, one is a root. Nothing here calls itself, because a chain can be as long as a file.
 */
export function treesOf<Item extends Pick<SourceItem, 'key' | 'ref' | 'parent'>>(
  items: readonly Item[],
): Tree<Item>[] {
  const byName = new Map(items.toReversed().map((item) => [item.ref || item.key, item]))
  const wholeOf = ({ parent }: Item) => (parent ? byName.get(parent) : undefined)
  const partsOf = Map.groupBy(items, wholeOf)
  const placed = new Set<Item>()
  const trees: Tree<Item>[] = []
  for (const item of [...(partsOf.get(undefined) ?? []), ...items]) {
    if (placed.has(item)) continue
    let root = item
    for (const path = new Set<Item>(); !path.has(root); root = wholeOf(root) ?? root) path.add(root)
    const parts: Tree<Item>['parts'] = []
    const waiting = [{ item: root, depth: -1 }]
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (placed.has(next.item)) continue
      placed.add(next.item)
      if (next.item !== root) parts.push(next)
      const depth = next.depth + 1
      for (const part of (partsOf.get(next.item) ?? []).toReversed()) waiting.push({ item: part, depth })
    }
    trees.push({ root, parts })
  }
  return trees
}
