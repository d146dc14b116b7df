import type { ItemSet, LinkedLine } from '../entry.ts'
import type { Parts } from '../parts.ts'
import { isGone } from '../store/change-errors.ts'
import type { Step } from '../undo-history.ts'
import { link } from '../verbs/add-edit.ts'
import { noteOf } from './note-calls.ts'
import type { NoteDocument } from './note-document.ts'
import { documentsOf } from './note-documents.ts'
import { taskLinkIn, taskOfLine, withoutTaskLink } from './task-line.ts'

/** Makes a line of an open note a task with this id, to which the line links at once. If that fails, the line is as it was, and the returned text says why. */
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
  // The line can be made a task again.
  engine.journal.withdraw(notStored.entry)
  showLink(engine, notStored.entry)
  return notStored.error.message
}

/** Links the line of a note that became a task, or takes the link out if the task is not there. A note that is not open is read first. */
export async function showLink(engine: Parts, { item = '', line }: Partial<Pick<Step, 'item' | 'line'>>) {
  const note = line && (await documentOf(engine, line.note))
  if (!note) return
  const leave = documentsOf(engine).use(note)
  // As it is now: another press may have come while the note was read.
  const task = engine.store.task(item)
  const isUndoable = engine.history.getState().undo.some((step) => step.line && step.item === item)
  const isThere = task ? task.deletedAt === null : isUndoable
  replaceLine(note, isThere ? withLink(note.text, line) : withoutLink(note.text, line))
  leave()
}

/** Shows the text with the changed line, and saves it as what is typed. Without a text, the line has gone. */
function replaceLine(note: NoteDocument, text: string | undefined) {
  if (text === undefined || text === note.text) return
  note.edit(text)
  note.shown()
  note.save()
}

/** The document of a note, of its newest text, or without the server of the text that this device has. */
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

/** The text with the link in the line that is still as it was, next to where it was. */
export function withLink(text: string, { number, plain, linked }: LinkedLine): string | undefined {
  if (text.includes(linked)) return text
  const lines = text.split('\n')
  const [nearest] = [...lines.keys()]
    .filter((index) => lines[index]?.replace(/\r$/, '') === plain)
    .toSorted((one, other) => Math.abs(one - number) - Math.abs(other - number))
  if (nearest === undefined) return undefined
  return lines.with(nearest, lines[nearest]?.replace(plain, () => linked) ?? '').join('\n')
}

/**
 * The text without the link, even if the text around it has changed. The id of the task makes the link unique. If another device has
 * changed the words of the link, they stay, behind the marks that the line had.
 */
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
