import { isBlank } from '#contract/blank.ts'
import { hashedId } from '#contract/hashed-id.ts'
import { bodyLength, dueDates, noteLength, titleLength } from '#contract/limits.ts'
import { defaultPriority } from '#contract/lists.ts'
import { parseReminders } from '#contract/reminder-times.ts'
import { firstRepeatDay } from '#contract/repeats.ts'
import type { Priority } from '#contract/task-fields.ts'
import { isDay, isInRange, wallClockOf } from './days.ts'
import { cutTo, isLonger, piecesOf } from './fitted-text.ts'
import { type Code, ImportError, type ParamsOf, type Place } from './import-codes.ts'
import { importLimits } from './import-limits.ts'
import type { Imported, ImportedRow, ImportOptions, Remark } from './imported.ts'
import { storedRule } from './rules.ts'
import { roomForTags } from './tag-names.ts'
import { treesOf } from './task-trees.ts'

type Sorted = {
  row: ImportedRow
  /** The rows that are parts of the item. */
  parts?: ImportedRow[]
  /** The id in the source. Without it, the id follows from the content. */
  key?: string | undefined
  /** The content as the file has it, if what is made of it depends on the day, the zone or the chosen columns. */
  raw?: string | undefined
  list?: string | null | undefined
  tags?: string[] | undefined
  createdAt?: string | null | undefined
}

/** A task as its source has it. What does not fit is listed and becomes text. */
export type SourceTask = Sorted & {
  /** By what its parts name it, if that is not its id. */
  ref?: string | undefined
  /** The task whose checkbox this one becomes. */
  parent?: string | undefined
  title: string
  body?: string | undefined
  checklist?: { text: string; isDone: boolean }[] | undefined
  comments?: { heading: string; text: string }[] | undefined
  attachments?: string[] | undefined
  dueDate?: string | null | undefined
  dueTime?: string | null | undefined
  /** What the source says about the day, if it cannot be read. */
  dueText?: string | undefined
  /** More lines of the body. */
  lines?: string[] | undefined
  /** A rule of RFC 5545, or the words of the source. */
  repeat?: string | undefined
  repeatFrom?: 'due' | 'done' | undefined
  /** Reminders of `reminder-times.ts`, or what the source says instead. */
  reminders?: string[] | undefined
  priority?: Priority | undefined
  isDone?: boolean | undefined
  doneAt?: string | null | undefined
}

/** A note as its source has it. Without a title, the first line of its text is the title. */
export type SourceNote = Sorted & {
  title?: string | undefined
  text: string
  pinned?: boolean | undefined
  changedAt?: string | null | undefined
}

export type ImportBuilder = ReturnType<typeof createImport>

/** How deep checkboxes are shown inside each other. */
const shownDepth = 8

/** The room for the link from a piece of a text to the next one. */
const roomForLink = titleLength.max + 100

/** Collects what a reader finds, and makes it fit into an account. `source`: the name of the reader, a part of each id. */
export function createImport(source: string, options: ImportOptions) {
  const now = options.now.toISOString()
  const here = wallClockOf(options.now.getTime(), options.zone)
  const wallNow = `${here.day}T${here.time}`
  const imported: Imported = {
    ...{ tasks: [], notes: [], versions: [], settings: null, rows: [], table: null, hasUnclearDays: false },
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

  function row(place: Place, text: string, becomes: ImportedRow['becomes'] = 'nothing'): ImportedRow {
    if (imported.rows.length >= importLimits.rows)
      throw new ImportError('too-many-rows', { max: importLimits.rows }, place)
    const [line = ''] = text.trimStart().split(/[\r\n]/, 1)
    const added: ImportedRow = {
      place,
      text: cutTo(line, 200).toWellFormed(),
      becomes,
      item: null,
      remarks: [],
    }
    imported.rows.push(added)
    return added
  }

  function remark<Each extends Code>(
    { remarks, place }: ImportedRow,
    code: Each,
    params: ParamsOf<Each>,
    column?: string,
  ) {
    remarks.push({ code, params, place: column === undefined ? place : { ...place, column } } as Remark)
  }

  /** The text as it can be stored. */
  function stored(text: string, at: ImportedRow) {
    const lines = text.replace(/\r\n?/g, '\n')
    const kept = lines.toWellFormed().replaceAll('\0', '\ufffd')
    if (kept !== lines) remark(at, 'characters-replaced', {})
    return kept
  }

  /** Returns the beginning of a text with a link to the notes that have the rest of it. */
  function split(text: string, max: number, title: string, at: ImportedRow, id: string, sorted: Frame) {
    if (!isLonger(text, max)) return { text, rest: [] }
    const pieces = piecesOf(text, max - roomForLink)
    remark(at, 'text-split', { parts: pieces.length - 1, max })
    const names = pieces.map((_, index) => `${cutTo(title, 100)} (${index + 1})`)
    const ids = pieces.map((_, index) => hashedId(`${id}\n${index}`))
    const [first = '', ...others] = pieces.map((piece, index) =>
      index === pieces.length - 1
        ? piece
        : `${piece.trimEnd()}\n\n[${escaped(names[index + 1] ?? '')}](note:${ids[index + 1]})`,
    )
    const rest = others.map((piece, index) => ({
      ...{ _id: ids[index + 1] as string, text: `# ${names[index + 1]}\n\n${piece}`, pinned: false },
      ...{ ...sorted, changedAt: sorted.createdAt, deletedAt: null },
    }))
    return { text: first, rest }
  }

  type Frame = { list: string | null; tags: string[]; createdAt: string }
  const frameOf = ({ list, tags, createdAt }: Sorted, until = now): Frame => ({
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
      remark(at, 'row-left-out', { reason: 'blank' })
      return undefined
    }
    const id = idOf('note', note.key, [title, text, note.list ?? null])
    const frame = frameOf(note, note.changedAt ?? now)
    const whole = isBlank(title) ? text : isBlank(text) ? `# ${title}` : `# ${title}\n\n${text}`
    const max = noteLength.max - roomOf(frame)
    const name = title || (text.trimStart().split('\n', 1)[0] ?? '').replace(/^#+\s+/, '')
    const { text: fitting, rest } = split(whole, max, name, at, id, frame)
    const changedAt = note.changedAt ?? frame.createdAt
    const times = { ...frame, changedAt, deletedAt: null }
    imported.notes.push({ _id: id, text: fitting, pinned: note.pinned ?? false, ...times }, ...rest)
    claim(note, id, 'note')
    return id
  }

  function claim({ row: at, parts = [] }: Sorted, id: string, becomes: ImportedRow['becomes']) {
    at.becomes = becomes
    for (const each of [at, ...parts]) each.item = id
  }

  /** What of a task becomes text: its own body, and the lines of what has no field. */
  function textsOf(task: SourceTask): string[] {
    const { row: at, attachments = [], comments = [], checklist = [] } = task
    const boxes = checklist.map(({ text, isDone }) => checkbox(text, isDone, 0))
    for (const name of attachments) remark(at, 'attachment-left-out', { name: cutTo(name, 100) })
    const said = comments.map(({ heading, text }) => (heading ? `**${heading}**\n\n${text}` : text))
    return [
      task.body?.trimEnd() ?? '',
      boxes.join('\n'),
      attachments.map((name) => `Attachment: ${name}`).join('\n'),
      said.length > 0 ? ['## Comments', ...said].join('\n\n') : '',
    ].map((text) => stored(text, at))
  }

  function addTree(root: SourceTask, parts: { item: SourceTask; depth: number }[]) {
    const at = root.row
    let title = stored(root.title, at).replace(/\s+/g, ' ').trim()
    const lines = (root.lines ?? []).map((line) => stored(line, at))
    const [body = '', ...others] = textsOf(root)
    const boxes = parts.map(({ item, depth }) => partOf(item, depth)).join('\n')
    let text = body
    if (isBlank(title)) {
      const first = body.split('\n').find((line) => !isBlank(line))
      if (first === undefined && parts.length === 0 && others.every(isBlank)) {
        remark(at, 'row-left-out', { reason: 'blank' })
        return
      }
      title = first?.trim() ?? 'Untitled'
      remark(at, 'title-missing', {})
    }
    const whole = title
    if (isLonger(title, titleLength.max)) {
      title = cutTo(title, titleLength.max)
      text = text === '' ? whole : `${whole}\n\n${text}`
      remark(at, 'title-cut', { max: titleLength.max })
    }
    const day = dayOf(root, lines)
    const rule = ruleOf(root, day.dueDate, lines)
    const doneAt = root.doneAt ?? (root.isDone ? now : null)
    if (root.isDone && !root.doneAt) remark(at, 'done-without-time', {})
    const id = idOf(
      'task',
      root.key,
      root.raw === undefined
        ? [whole, body, root.dueDate ?? root.dueText ?? null, root.list ?? null]
        : [root.raw],
    )
    const frame = frameOf(root, doneAt ?? now)
    const all = [text, boxes, lines.join('\n'), ...others].filter((each) => !isBlank(each)).join('\n\n')
    const { text: fitting, rest } = split(all, bodyLength.max - roomOf(frame), title, at, id, frame)
    imported.notes.push(...rest)
    imported.tasks.push({
      ...{ _id: id, title, body: fitting },
      ...{ ...day, ...rule, ...frame, priority: root.priority ?? defaultPriority },
      ...{ reminders: remindersOf(root, day.dueTime), series: null, doneAt, deletedAt: null },
    })
    claim(root, id, 'task')
    for (const { item } of parts) claim(item, id, 'checkbox')
  }

  /** A task that is a part of another one, as a checkbox of its body. */
  function partOf(task: SourceTask, depth: number) {
    const at = task.row
    const { dueDate, dueTime, dueText, repeat } = task
    const said = [[dueDate, dueTime].filter(Boolean).join(' ') || dueText, repeat].filter(Boolean).join(', ')
    if (said !== '') remark(at, 'day-of-part', { day: cutTo(said, 100) })
    const words = stored(`${task.title}${said === '' ? '' : ` (${said})`}`, at)
      .replace(/\s+/g, ' ')
      .trim()
    const level = Math.min(depth, shownDepth)
    const inside = '  '.repeat(level + 1)
    const texts = [...textsOf(task), ...(task.lines ?? [])].filter((text) => !isBlank(text))
    const rest = texts.map((text) =>
      text
        .split('\n')
        .map((line) => (line === '' ? '' : inside + line))
        .join('\n'),
    )
    return [checkbox(words, Boolean(task.isDone || task.doneAt), level), ...rest].join('\n')
  }

  function dayOf({ row: at, dueDate = null, dueTime = null, dueText }: SourceTask, lines: string[]) {
    if (dueText !== undefined && dueText.trim() !== '') {
      remark(at, 'day-as-text', { day: cutTo(dueText, 100) })
      lines.push(`Due: ${stored(dueText, at)}`)
    }
    if (dueDate === null || isInRange(dueDate)) return { dueDate, dueTime: dueDate === null ? null : dueTime }
    if (isDay(dueDate)) remark(at, 'day-outside-range', { day: dueDate, ...dueDates })
    lines.push(`Due: ${dueDate}`)
    return { dueDate: null, dueTime: null }
  }

  function ruleOf(task: SourceTask, dueDate: string | null, lines: string[]) {
    const { row: at, repeat, repeatFrom = 'due' } = task
    const none = { repeat: null, repeatFrom: 'due', repeatDay: null } as const
    if (repeat === undefined || repeat.trim() === '') return none
    const shown = { repeat: cutTo(repeat, 200) }
    // A done task of another program stands for one occurrence, and the open one carries the rule.
    const isDone = Boolean(task.isDone || task.doneAt)
    const rule = dueDate === null || isDone ? undefined : storedRule(repeat, dueDate, options.zone)
    if (rule !== undefined && dueDate !== null)
      return { repeat: rule, repeatFrom, repeatDay: firstRepeatDay(rule, dueDate) ?? null }
    const isLacking = dueDate === null && /FREQ=/i.test(repeat)
    remark(at, isDone ? 'repeat-of-done' : isLacking ? 'repeat-without-day' : 'repeat-as-text', shown)
    lines.push(`Repeat: ${stored(repeat, at)}`)
    return none
  }

  /** The reminders that are still to come. */
  function remindersOf({ row: at, reminders = [], isDone, doneAt }: SourceTask, dueTime: string | null) {
    let kept: string | null = null
    for (const reminder of isDone || doneAt ? [] : new Set(reminders)) {
      const all: string = kept === null ? reminder : `${kept} ${reminder}`
      const last = parseReminders(all)?.at(-1)
      const isOver = last?.kind === 'at' && last.wall <= wallNow
      if (!last || isOver || (last.kind === 'minutes' && dueTime === null))
        remark(at, 'reminder-left-out', { reminder: cutTo(reminder, 100) })
      else kept = all
    }
    return kept
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

const checkbox = (text: string, isDone: boolean, depth: number) =>
  `${'  '.repeat(depth)}- [${isDone ? 'x' : ' '}] ${text.replace(/\s*\n\s*/g, ' ')}`

const escaped = (text: string) => text.replace(/[[\]\\]/g, '\\$&')
