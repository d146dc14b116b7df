import { wallClockOf } from '#contract/zone-clock.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import { instantIn, storedInstant, zoneNamed } from '../parsing/days.ts'
import { baseName, eachText, type Reader } from '../parsing/entries.ts'
import { plainHtml, withCharacters } from '../parsing/markup.ts'

/** The ENEX of Evernote. Its document type is not read. */
export const evernote: Reader = {
  label: 'Evernote',
  finds: (files) => files.filter(({ beginning = '' }) => /<en-export[\s>]/.test(beginning)),
  read: eachText((text, file, build) => {
    let [row, from] = [1, 0]
    for (const { inner, start } of elements(text, 'note')) {
      for (; from < start; from++) if (text.charCodeAt(from) === 10) row++
      addNote(inner, { file, row }, build)
    }
  }),
}

/** The elements of a name, which are not inside each other. */
function* elements(text: string, name: string) {
  const [open, close] = [`<${name}>`, `</${name}>`]
  for (let start = text.indexOf(open); start >= 0; ) {
    const end = text.indexOf(close, start)
    if (end < 0) return
    yield { inner: text.slice(start + open.length, end), start, end: end + close.length }
    start = text.indexOf(open, end)
  }
}

const all = (text: string, name: string) =>
  [...elements(text, name)].map(({ inner }) => withCharacters(withoutCdata(inner)).trim())
const textOf = (text: string, name: string) => all(text, name)[0] ?? ''
const withoutCdata = (text: string) => /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(text)?.[1] ?? text

function addNote(note: string, place: { file: string; row: number }, build: ImportBuilder) {
  const { zone } = build.options
  const list = baseName(place.file)
  // The content can have the names of all elements in its texts.
  const content = [...elements(note, 'content')].at(0)
  const frame = content ? note.slice(0, content.start) + note.slice(content.end) : note
  const own = without(without(frame, 'resource'), 'task')
  const title = textOf(own, 'title')
  const at = build.row(place, title)
  const instant = (text: string) => storedInstant(instantIn(text, 'UTC'))
  const attachments = [...elements(frame, 'resource')].map(
    ({ inner }) => textOf(inner, 'file-name') || textOf(inner, 'mime') || 'file',
  )
  for (const name of attachments) build.remark(at, 'attachment-left-out', name.slice(0, 100))
  const [createdAt, changedAt] = [instant(textOf(own, 'created')), instant(textOf(own, 'updated'))]
  const texts = [
    markdownOf(withoutCdata(content?.inner ?? '')),
    attachments.map((name) => `Attachment: ${name}`).join('\n'),
    all(own, 'source-url')
      .map((address) => `Source: ${address}`)
      .join('\n'),
  ]
  const common = { list, tags: all(own, 'tag'), createdAt }
  const text = texts.filter((each) => each !== '').join('\n\n')
  const wall = (said: string, where = zone) => {
    const there = instant(said)
    return there === null ? undefined : wallClockOf(Date.parse(there), where)
  }
  const reminder = wall(textOf(own, 'reminder-time'))
  const isReminder = own.includes('<reminder-order>') || reminder !== undefined
  const doneAt = instant(textOf(own, 'reminder-done-time'))
  if (isReminder)
    build.addTask({
      ...{
        ...common,
        row: at,
        raw: note,
        title,
        body: text,
        dueDate: reminder?.day ?? null,
        dueTime: reminder?.time ?? null,
      },
      ...{ isDone: doneAt !== null, doneAt },
    })
  else build.addNote({ ...common, row: at, title, text, changedAt })
  for (const { inner: task } of elements(frame, 'task')) {
    const plain = without(task, 'reminder')
    const name = textOf(plain, 'title')
    const isDone = textOf(plain, 'taskStatus') === 'completed'
    // A day without a time is one of the zone of the task.
    const isDay = textOf(plain, 'dueDateUIOption') === 'date_only'
    const there = wall(textOf(plain, 'dueDate'), zoneNamed(textOf(plain, 'timeZone')))
    const due = isDay ? there : wall(textOf(plain, 'dueDate'))
    const repeat = textOf(plain, 'recurrence')
    build.addTask({
      ...{
        ...common,
        row: build.row(place, name),
        raw: task,
        title: name,
        createdAt: instant(textOf(plain, 'created')),
      },
      ...{
        dueDate: due?.day ?? null,
        dueTime: due && !isDay ? due.time : null,
      },
      lines: title === '' ? [] : [`Note: ${title}`],
      priority: textOf(plain, 'taskFlag') === 'true' ? 'high' : undefined,
      repeat: repeat || undefined,
      repeatFrom: textOf(plain, 'repeatAfterCompletion') === 'true' ? 'done' : 'due',
      ruleStart: due && there && { day: there.day, here: isDay ? { day: due.day, time: null } : due },
      reminders: [...elements(task, 'reminder')].flatMap(({ inner }) => {
        const there = wall(textOf(inner, 'reminderDate'))
        return there ? [`${there.day}T${there.time}`] : []
      }),
      ...{
        isDone,
        doneAt: isDone ? instant(textOf(plain, 'statusUpdated') || textOf(plain, 'updated')) : null,
      },
    })
  }
}

/** A text without the elements of a name. */
function without(text: string, name: string): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end } of elements(text, name)) {
    parts.push(text.slice(from, start))
    from = end
  }
  return parts.join('') + text.slice(from)
}

/** The note is HTML with checkboxes of its own, and may be escaped. */
function markdownOf(content: string): string {
  const html = content.includes('<en-note') ? content : withCharacters(content)
  return plainHtml(
    html
      .slice(Math.max(0, html.indexOf('<en-note')))
      .replace(
        /<en-todo\b([^<>]{0,200})>/gi,
        (_, said: string) => `<li data-checked="${/checked="true"/.test(said)}">`,
      )
      .replace(/<li\b[^<>]{0,200}--en-checked:\s?(true|false)[^<>]{0,200}>/gi, '<li data-checked="$1">')
      .replace(/<en-media\b[^<>]{0,1000}>/gi, '<img>')
      .replace(/<\/(?:div|pre|blockquote)>/gi, '<br>'),
  )
}
