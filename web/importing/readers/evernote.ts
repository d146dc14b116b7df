import { hashedId } from '#contract/hashed-id.ts'
import type { SourcePlace } from '../../engine/imported.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import { clockAt, remindersAt, storedInstantIn, zoneNamed } from '../parsing/days.ts'
import { baseName, beginningWith, type Reader } from '../parsing/entries.ts'
import { attached } from '../parsing/fitted-text.ts'
import { markdownInHtml, withCharacters } from '../parsing/html.ts'
import { type Linked, withLinks } from '../parsing/markup.ts'

/** The ENEX of Evernote. Its document type is not read. */
export const evernote: Reader = {
  label: 'Evernote',
  finds: beginningWith(/<en-export[\s>]/),
  async read(files, build) {
    const notes: Note[] = []
    for (const { path, ...file } of files) {
      let [row, from] = [1, 0]
      const text = await file.text()
      for (const { inner, start } of elements(text, 'note')) {
        for (; from < start; from++) if (text.charCodeAt(from) === 10) row++
        notes.push(noteIn(inner, { file: path, row }, build))
      }
    }
    const link = withLinks(notes, [])
    for (const note of notes) await addNote(note, link, build)
  },
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

/** A note with its XML. `frame`: without its content, `own`: also without attachments and tasks. */
type Note = Linked & { content: string; frame: string; own: string; place: SourcePlace }

function noteIn(whole: string, place: SourcePlace, build: ImportBuilder): Note {
  // The content can have the names of all elements in its texts.
  const content = [...elements(whole, 'content')].at(0)
  const frame = content ? whole.slice(0, content.start) + whole.slice(content.end) : whole
  const own = without(without(frame, 'resource'), 'task')
  // Older programs write the order 0 in notes without a reminder.
  const isReminder = Number(textOf(own, 'reminder-order')) > 0 || own.includes('<reminder-time>')
  const kind = isReminder ? 'task' : 'note'
  const [title, text] = [textOf(own, 'title'), content?.inner ?? '']
  const key = hashedId(own + text)
  return {
    ...{ content: withoutCdata(text), frame, own, place },
    ...{ kind, key, title, path: title, aliases: [], id: build.idOfKey(kind, key) },
  }
}

async function addNote(note: Note, link: ReturnType<typeof withLinks>, build: ImportBuilder) {
  const { content, frame, own, place, kind, key, title } = note
  const { zone } = build.options
  const list = baseName(place.file)
  const at = build.row(place, title)
  const attachments = [...elements(frame, 'resource')].map(
    ({ inner }) => textOf(inner, 'file-name') || textOf(inner, 'mime') || 'file',
  )
  const places = attached(attachments, at)
  const linked = link(await markdownOf(content), title)
  for (const name of linked.missing) build.remark(at, 'link-left', name)
  const sources = all(own, 'source-url').map((address) => `Source: ${address}`)
  const common = { list, tags: all(own, 'tag') }
  const wall = (said: string, where = zone) => clockAt(storedInstantIn(said), where)
  build.add({
    ...{ ...common, kind, row: at, key, title },
    body: [linked.text, places, sources.join('\n')].filter((each) => each !== '').join('\n\n'),
    createdAt: storedInstantIn(textOf(own, 'created')),
    changedAt: storedInstantIn(textOf(own, 'updated')),
    due: wall(textOf(own, 'reminder-time')),
    done: storedInstantIn(textOf(own, 'reminder-done-time')),
  })
  for (const { inner: task } of elements(frame, 'task')) {
    const plain = without(task, 'reminder')
    const name = textOf(plain, 'title')
    const isDone = textOf(plain, 'taskStatus') === 'completed'
    // A day without a time is one of the zone of the task.
    const isDay = textOf(plain, 'dueDateUIOption') === 'date_only'
    const there = wall(textOf(plain, 'dueDate'), zoneNamed(textOf(plain, 'timeZone')))
    const due = isDay ? there && { day: there.day, time: null } : wall(textOf(plain, 'dueDate'))
    build.add({
      ...{ ...common, row: build.row(place, name), raw: task, title: name, due },
      createdAt: storedInstantIn(textOf(plain, 'created')),
      lines: title === '' ? [] : [`Note: ${title}`],
      priority: textOf(plain, 'taskFlag') === 'true' ? 'high' : undefined,
      repeat: textOf(plain, 'recurrence'),
      repeatFrom: textOf(plain, 'repeatAfterCompletion') === 'true' ? 'done' : 'due',
      ruleStart: due && there && { day: there.day, here: due },
      reminders: [...elements(task, 'reminder')].flatMap(({ inner }) =>
        remindersAt(wall(textOf(inner, 'reminderDate'))),
      ),
      done: isDone && (storedInstantIn(textOf(plain, 'statusUpdated') || textOf(plain, 'updated')) ?? true),
    })
  }
}

function without(text: string, name: string): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end } of elements(text, name)) {
    parts.push(text.slice(from, start))
    from = end
  }
  return parts.join('') + text.slice(from)
}

/** Stands for the address of a note, which names no note of the file. */
const noteAddress = 'https://evernote.invalid'

/**
 * The note is HTML with elements of its own, and may be escaped. In place of its tasks it says that they are not shown. A link to another
 * note has its title.
 */
async function markdownOf(content: string): Promise<string> {
  const html = content.includes('<en-note') ? content : withCharacters(content)
  const markdown = await markdownInHtml(
    html
      .slice(Math.max(0, html.indexOf('<en-note')))
      .replace(/<div\b(?=[^<>]{0,200}--en-task-group:\s?true)/gi, '<div hidden')
      .replace(
        /<en-todo\b([^<>]{0,200})>/gi,
        (_, said: string) => `<input type="checkbox"${/checked="true"/.test(said) ? ' checked' : ''}>`,
      )
      .replace(/<li\b[^<>]{0,200}--en-checked:\s?(true|false)[^<>]{0,200}>/gi, '<li data-checked="$1">')
      .replace(/<en-media\b[^<>]{0,1000}>/gi, '<img>')
      .replace(/href="evernote:[^"<>]{0,1000}"/gi, `href="${noteAddress}"`),
  )
  return markdown.replace(linkToNote, (_, words: string) => `[[${words.replace(/\\(.)/g, '$1')}]]`)
}

const linkToNote = /\[((?:[^[\]\\\n]|\\.){1,500})\]\(https:\/\/evernote\.invalid\)/g
