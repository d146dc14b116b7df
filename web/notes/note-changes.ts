import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { summaryOf } from '#contract/note-summary.ts'
import { call, ProblemError } from '../api/client.ts'
import { randomId } from '../api/random-id.ts'
import { itemsIn, itemsOf } from '../store/answers.ts'
import { storeOf } from '../store/use-store.ts'
import { makeChanges } from '../tasks/change-task.ts'
import { type Step, undoHistoryOf } from '../tasks/undo/undo-history.ts'
import type { NoteDocument } from './note-document.ts'
import { documentsOf } from './note-documents.ts'
import { shownTitle } from './plain-text.ts'

type Flags = { set: { pinned?: boolean; deleted?: boolean }; action: Step['action'] }

/** Pins, deletes or restores a note, which is shown at once. If the server rejects it, it stays in the outbox to be decided. */
export function useChangeNote() {
  const queryClient = useQueryClient()
  return async (item: string, { set, action }: Flags) => {
    // The deleted note includes unsaved text.
    const document = documentsOf(queryClient).get(item)
    if (document?.isUnsaved && set.deleted) await document.save()
    const title = shownTitle(storeOf(queryClient).note(item)?.title ?? '')
    makeChanges(queryClient, [{ item, kind: 'note', set }], { action, title }, { isKept: true })
  }
}

/** Gives a note the text of an earlier version, so that Undo covers it. */
export async function restoreText(queryClient: QueryClient, document: NoteDocument, text: string) {
  // The text replaces the one that has just been saved.
  await document.save()
  const { id: item, version: base } = document
  const change = { mutation: randomId(), item, kind: 'note', set: { text }, group: randomId(), base } as const
  const { data } = await call('POST /changes', { body: { changes: [change] } })
  const [note] = itemsOf('note', data.items)
  if (!note) throw problem('It was deleted for good elsewhere.')
  if (data.items[0]?.outcome === 'conflict') throw problem('It was changed elsewhere meanwhile. Try again.')
  storeOf(queryClient).put(itemsIn(data))
  const title = shownTitle(summaryOf(note.text).title)
  undoHistoryOf(queryClient).getState().add({ seq: note.version, action: 'Reverted', title })
}

const problem = (detail: string) =>
  new ProblemError({ type: 'about:blank', title: 'Not changed', status: 409, detail })
