import type { ItemSet, LinkedLine } from '../entry.ts'
import type { Parts } from '../parts.ts'
import { isGone } from '../store/change-errors.ts'
import type { Step } from '../undo-history.ts'
import { link } from '../verbs/add-edit.ts'
import { noteOf } from './note-calls.ts'
import type { NoteDocument } from './note-document.ts'
import { documentsOf } from './note-documents.ts'
import { taskLinkIn, taskOfLine, withoutTaskLink } from './task-line.ts'

/** Makes a line of an open note a task and links the line at once. If that fails, restores the line and returns the reason. */
export async function makeLineTask(
  engine: Parts,
  note: NoteDocument,
  { task, set, line }: { task: string; set: ItemSet; line: LinkedLine },
): Promise<string | undefined> {
  const linked = withLink(note.text, line)
  if (linked === undefined) return 'The line was changed meanwhile.'
  const added = engine.changes.attempt([link.make(task, set, line)])
  replaceLine(note, linked)
  const [notStored] = await added
  if (!notStored) return
  // Without the entry, the line can be made a task again.
  engine.journal.withdraw(notStored.entry)
  showLink(engine, notStored.entry)
  return notStored.error.message
}

export async function showLink(engine: Parts, { item = '', line }: Partial<Pick<Step, 'item' | 'line'>>) {
  const note = line && (await documentOf(engine, line.note))
  if (!note) return
  const leave = documentsOf(engine).use(note)
  // The current state: another press may have come while the note was read.
  const task = engine.store.task(item)
  const isUndoable = engine.history.getState().undo.some((step) => step.line && step.item === item)
  const isThere = task ? task.deletedAt === null : isUndoable
  replaceLine(note, isThere ? withLink(note.text, line) : withoutLink(note.text, line))
  leave()
}

function replaceLine(note: NoteDocument, text: string | undefined) {
  if (text === undefined || text === note.text) return
  note.edit(text)
  note.shown()
  note.save()
}

/** The document of a note, with the server's text, or offline with the text of this device. */
async function documentOf(engine: Parts, id: string): Promise<NoteDocument | undefined> {
  const { store, device } = engine
  const documents = documentsOf(engine)
  const readKept = async () => store.text(id) ?? (await device.promise).texts.get(id)
  const read = () =>
    noteOf(engine, id)
      .reload()
      .then(
        () => store.text(id),
        (error) => (isGone(error) ? undefined : readKept()),
      )
  const note = documents.get(id) ? undefined : await read()
  return documents.get(id) ?? (note && documents.open(note))
}

/** Links the unchanged line that is nearest to the former place of the line. */
export function withLink(text: string, { number, plain, linked }: LinkedLine): string | undefined {
  if (text.includes(linked)) return text
  const lines = text.split('\n')
  const [nearest] = [...lines.keys()]
    .filter((index) => lines[index]?.replace(/\r$/, '') === plain)
    .toSorted((one, other) => Math.abs(one - number) - Math.abs(other - number))
  if (nearest === undefined) return undefined
  return lines.with(nearest, lines[nearest]?.replace(plain, () => linked) ?? '').join('\n')
}

/** Removes the link, which the id of the task identifies. Words that another device has changed stay. */
export function withoutLink(text: string, { plain, linked }: LinkedLine): string | undefined {
  if (text.includes(linked)) return text.replace(linked, () => plain)
  const [task, was] = [taskLinkIn(linked), taskOfLine(plain)]
  if (!task || !was) return
  const lines = text.split('\n')
  const index = lines.findIndex((line) => taskLinkIn(line) === task)
  if (index < 0) return
  const line = withoutTaskLink(lines[index] ?? '')
  const mark = plain.trimEnd().slice(0, -was.title.length)
  return lines
    .with(index, line.startsWith(was.before) ? mark + line.slice(was.before.length) : line)
    .join('\n')
}
