import { isBlank } from '#contract/blank.ts'
import { defaultsOf } from '#contract/fields.ts'
import { hashedId } from '#contract/hashed-id.ts'
import { bodyLength, noteLength, titleLength } from '#contract/limits.ts'
import { defaultPriority } from '#contract/lists.ts'
import { taskFields } from '#contract/task-fields.ts'
import { wallClockOf } from '#contract/zone-clock.ts'
import type { Imported, ImportedRow, ImportOptions, SourcePlace } from '../../engine/imported.ts'
import { cutTo, type Frame, fittedTexts, isLonger, partOf, roomForTags, splitText } from './fitted-text.ts'
import { importLimits, Refusal, remark, stored } from './remarks.ts'
import type { SourceItem, SourceNote, SourceTask } from './source-items.ts'
import { dueDayOf, remindersOf, ruleOf } from './task-values.ts'

export type ImportBuilder = ReturnType<typeof createImport>

/** Collects what a reader finds, and makes it fit into an account. `source`: the name of the reader, a part of each id. */
export function createImport(source: string, options: ImportOptions) {
  const now = options.now.toISOString()
  let created = options.now.getTime()
  /** A time before that of the item before it: lists that begin with the newest item have the order of the file. */
  const nextTime = () => new Date(created--).toISOString()
  const here = wallClockOf(options.now.getTime(), options.zone)
  const wallNow = `${here.day}T${here.time}`
  const imported: Imported = {
    ...{ tasks: [], notes: [], versions: [], settings: null, rows: [], table: null },
    ...{ hasUnclearDays: false, isDayFirst: true },
  }
  const found: SourceTask[] = []
  const counts = new Map<string, number>()

  /** The id of an item, by what its source says about it and how often it has said the same. */
  function idOf(kind: 'task' | 'note', key: string | undefined, content: unknown[]) {
    const name = `${kind} ${key === undefined ? `of ${JSON.stringify(content)}` : key}`
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

  const frameOf = ({ list, tags, createdAt }: SourceItem, until: string): Frame => ({
    ...{ list: list?.trim() ? list.trim() : null, tags: (tags ?? []).filter((tag) => tag.trim() !== '') },
    createdAt: createdAt ?? until,
  })
  const roomOf = ({ list, tags }: Frame) => (list === null && tags.length === 0 ? 0 : roomForTags)

  function addNote(note: SourceNote): string | undefined {
    const at = note.row
    const title = stored(note.title ?? '', at)
      .replace(/\s+/g, ' ')
      .trim()
    const text = stored(note.text, at)
    if (isBlank(title) && isBlank(text)) {
      remark(at, 'blank-row')
      return undefined
    }
    const id = idOf('note', note.key, [title, text, note.list ?? null])
    const frame = frameOf(note, note.changedAt ?? nextTime())
    const whole = isBlank(title) ? text : isBlank(text) ? `# ${title}` : `# ${title}\n\n${text}`
    const max = noteLength.max - roomOf(frame)
    const name = title || (text.trimStart().split('\n', 1)[0] ?? '').replace(/^#+\s+/, '')
    const { text: fitting, rest } = splitText(whole, max, name, at, id, frame)
    const changedAt = note.changedAt ?? frame.createdAt
    const times = { ...frame, changedAt, deletedAt: null }
    imported.notes.push({ _id: id, text: fitting, pinned: note.pinned ?? false, ...times }, ...rest)
    claim(note, id, 'note')
    return id
  }

  function claim({ row: at, parts = [] }: SourceItem, id: string, becomes: ImportedRow['becomes']) {
    at.becomes = becomes
    for (const each of [at, ...parts]) each.item = id
  }

  function addTree(root: SourceTask, parts: { item: SourceTask; depth: number }[]) {
    const at = root.row
    let title = stored(root.title, at).replace(/\s+/g, ' ').trim()
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
    const day = dueDayOf(root, lines)
    const rule = ruleOf(root, day, lines, options.zone)
    const doneAt = root.doneAt ?? (root.isDone ? now : null)
    if (root.isDone && !root.doneAt) remark(at, 'done-without-time')
    const id = idOf(
      'task',
      root.key,
      root.raw === undefined
        ? [whole, body, root.dueDate ?? root.dueText ?? null, root.list ?? null]
        : [root.raw],
    )
    const frame = frameOf(root, doneAt ?? nextTime())
    const all = [text, boxes, lines.join('\n'), ...others].filter((each) => !isBlank(each)).join('\n\n')
    const { text: fitting, rest } = splitText(all, bodyLength.max - roomOf(frame), title, at, id, frame)
    imported.notes.push(...rest)
    imported.tasks.push({
      ...{ ...defaultsOf(taskFields), _id: id, title, body: fitting },
      ...{ ...day, ...rule, ...frame, priority: root.priority ?? defaultPriority },
      ...{ reminders: remindersOf(root, day.dueTime, wallNow), doneAt },
    })
    claim(root, id, 'task')
    for (const { item } of parts) claim(item, id, 'checkbox')
  }

  return {
    options,
    imported,
    row,
    remark,
    /** Adds a note. Returns its id, or undefined if it shows nothing. */
    addNote,
    /** Adds a task, or a part of one. Its whole may follow. */
    addTask(task: SourceTask) {
      found.push(task)
    },
    /** The id of the first item with this id in the source, so that links can lead to it before it is added. */
    idOfKey: (kind: 'task' | 'note', key: string) =>
      hashedId([options.account, source, `${kind} ${key}`, 1].join('\n')),
    /** Called when all items are added. */
    finish(): Imported {
      for (const { root, parts } of treesOf(found)) addTree(root, parts)
      return imported
    },
  }
}

/** An item that can be a part of another one, which its source names. */
type Part = { key?: string | undefined; ref?: string | undefined; parent?: string | undefined }

export type Tree<Item> = { root: Item; parts: { item: Item; depth: number }[] }

/**
 * Returns the items that are parts of none, each with its parts in their order and how deep they are. A part may be before its whole.
 * Of items that are parts of each other, one is a root. Nothing here calls itself, because a chain can be as long as a file.
 */
export function treesOf<Item extends Part>(items: readonly Item[]): Tree<Item>[] {
  const byKey = new Map<string, Item>()
  for (const item of items) {
    const name = item.ref ?? item.key
    if (name !== undefined && !byKey.has(name)) byKey.set(name, item)
  }
  const wholeOf = (item: Item) => (item.parent === undefined ? undefined : byKey.get(item.parent))
  /** Items that are known to end at a root. */
  const placed = new Set<Item>()
  /** One item of each circle of parts. */
  const first = new Set<Item>()
  for (const item of items) {
    const path = new Set<Item>()
    let at: Item | undefined = item
    while (at && !placed.has(at) && !path.has(at)) {
      path.add(at)
      at = wholeOf(at)
    }
    if (at && path.has(at)) first.add(at)
    for (const each of path) placed.add(each)
  }
  const isRoot = (item: Item) => first.has(item) || !wholeOf(item)
  const parts = Map.groupBy(items, (item) => (isRoot(item) ? undefined : wholeOf(item)))
  return (parts.get(undefined) ?? []).map((root) => ({ root, parts: partsOf(root, parts) }))
}

function partsOf<Item>(root: Item, parts: Map<Item | undefined, Item[]>) {
  const found: { item: Item; depth: number }[] = []
  const waiting = (parts.get(root) ?? []).map((item) => ({ item, depth: 0 })).reverse()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next)
    const depth = next.depth + 1
    for (const item of (parts.get(next.item) ?? []).toReversed()) waiting.push({ item, depth })
  }
  return found
}
