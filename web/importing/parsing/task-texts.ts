import { isBlank } from '#contract/blank.ts'
import { cutTo } from './fitted-text.ts'
import { remark, stored } from './remarks.ts'
import type { SourceTask } from './source-items.ts'
import { tagOf } from './tag-names.ts'

/** How deep checkboxes are shown inside each other. */
const shownDepth = 8

/** Returns what of a task becomes text: its own body first, then its checklist, attachments and comments. */
export function fittedTexts(task: SourceTask): string[] {
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

/** Returns a task that is a part of another one as a checkbox of its body. */
export function partOf(task: SourceTask, depth: number): string {
  const at = task.row
  const { dueDate, dueTime, dueText, repeat } = task
  const said = [[dueDate, dueTime].filter(Boolean).join(' ') || dueText, repeat].filter(Boolean).join(', ')
  if (said !== '') remark(at, 'day-of-part', { day: cutTo(said, 100) })
  if (task.priority === 'high') remark(at, 'value-left-out', { name: 'priority', value: 'high' })
  for (const reminder of new Set(task.reminders))
    remark(at, 'reminder-left-out', { reminder: cutTo(reminder, 100) })
  const tags = (task.tags ?? []).flatMap((name) => tagOf(name) ?? [])
  const shown = [task.title, ...(said === '' ? [] : [`(${said})`]), ...tags].join(' ')
  const words = stored(shown, at).replace(/\s+/g, ' ').trim()
  const level = Math.min(depth, shownDepth)
  const inside = '  '.repeat(level + 1)
  const texts = [...fittedTexts(task), ...(task.lines ?? [])].filter((text) => !isBlank(text))
  const rest = texts.map((text) =>
    text
      .split('\n')
      .map((line) => (line === '' ? '' : inside + line))
      .join('\n'),
  )
  return [checkbox(words, Boolean(task.isDone || task.doneAt), level), ...rest].join('\n')
}

const checkbox = (text: string, isDone: boolean, depth: number) =>
  `${'  '.repeat(depth)}- [${isDone ? 'x' : ' '}] ${text.replace(/(?<!\s)\s*\n\s*/g, ' ')}`
