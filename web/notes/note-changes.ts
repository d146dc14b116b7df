import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { summaryOf } from '#contract/note-summary.ts'
import type { Note } from '#contract/notes.ts'
import { call, ProblemError } from '../api/client.ts'
import { randomId } from '../api/random-id.ts'
import { followerOf } from '../sync/followers.ts'
import { type Step, undoHistoryOf } from '../tasks/undo/undo-history.ts'
import { documentsOf } from './note-documents.ts'
import { shownTitle } from './plain-text.ts'

type Change = {
  set: { pinned?: boolean; deleted?: boolean; text?: string }
  deed: Step['deed']
}

/** Pins, deletes or restores a note, or sets its text, so that Undo covers it. */
export function useChangeNote() {
  const queryClient = useQueryClient()
  return (id: string, change: Change) => changeNote(queryClient, id, change)
}

async function changeNote(queryClient: QueryClient, item: string, { set, deed }: Change): Promise<Note> {
  const documents = documentsOf(queryClient)
  // What is typed is part of what is deleted or restored.
  const document = documents.get(item)
  await document?.save()
  // A text replaces the one that has just been saved.
  const base = set.text === undefined ? undefined : document?.version
  const group = randomId()
  const changes = [
    { mutation: randomId(), item, kind: 'note' as const, set, group, ...(base !== undefined && { base }) },
  ]
  const { data } = await followerOf(queryClient).writeItem(
    () => call('POST /changes', { body: { changes } }),
    ({ data }) => data.results[0]?.note,
  )
  const result = data.results[0]
  const note = result?.note
  if (!note) throw problem('It was deleted for good elsewhere.')
  if (result.outcome === 'conflict') throw problem('It was changed elsewhere meanwhile. Try again.')
  documents.showWritten(note)
  const title = shownTitle(summaryOf(note.text).title)
  undoHistoryOf(queryClient).getState().made({ seq: note.version, deed, title })
  return note
}

const problem = (detail: string) =>
  new ProblemError({ type: 'about:blank', title: 'Not changed', status: 409, detail })
