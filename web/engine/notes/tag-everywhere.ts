import { fold } from '#contract/folding.ts'
import { noteLength, pageSize } from '#contract/limits.ts'
import { foldedTagsIn } from '#contract/tags.ts'
import type { NewChange } from '../entry.ts'
import type { Parts } from '../parts.ts'
import { changesInTasks, renameInNote } from '../verbs/renamed-tags.ts'
import { documentsOf } from './note-documents.ts'

const atOnce = 6

/** Renames a tag in all tasks and notes, or removes it without a name. Throws if not all notes could be read or changed. */
export async function changesEverywhere(engine: Parts, tag: string, name: string | undefined) {
  const inNotes = await changesInNotes(engine, tag, name)
  // After the notes, because another device may change a task while they are read.
  return [...changesInTasks(engine, tag, name), ...inNotes]
}

async function changesInNotes(engine: Parts, tag: string, name: string | undefined): Promise<NewChange[]> {
  const { call } = engine.needs
  // The server would reject a text that is based on an unanswered change.
  await engine.journal.answered()
  if (!(await documentsOf(engine).saveAll())) throw new Error('A note is not saved yet.')
  const { data } = await call('GET /search', { query: { q: tag, limit: pageSize.max } })
  if (data.notes.length === pageSize.max && data.more)
    throw new Error(`More than ${pageSize.max} notes have this tag.`)
  if (!data.complete) throw new Error('There are too many long texts to search all of them.')
  const ids = [...new Set([...data.notes.map(({ _id }) => _id), ...engine.tags.notesWith(tag)])]
  const changes: ReturnType<typeof renameInNote>[] = []
  for (let start = 0; start < ids.length; start += atOnce) {
    const part = ids.slice(start, start + atOnce)
    const notes = await Promise.all(
      part.map(async (id) => (await call('GET /notes/:id', { params: { id } })).data.note),
    )
    engine.store.put({ texts: notes })
    const isTagged = (text: string) => foldedTagsIn([text]).includes(fold(tag))
    for (const note of notes)
      if (note.deletedAt === null && isTagged(note.text)) changes.push(renameInNote(note, tag, name))
  }
  if (changes.some(({ set }) => [...(set.text ?? '')].length > noteLength.max))
    throw new Error(`A note would be longer than ${noteLength.max} characters.`)
  return changes
}
