import { summaryOf } from '#contract/note-summary.ts'
import { call, ProblemError } from '../api/client.ts'
import { randomId } from '../api/random-id.ts'
import { numberedBy } from '../changes/undo-history.ts'
import type { Dashboard } from '../state/dashboard.tsx'
import { itemsIn, itemsOf } from '../store/answers.ts'
import type { NoteDocument } from './note-document.ts'
import { shownTitle } from './plain-text.ts'

/** Gives a note the text of an earlier version, so that Undo covers it. */
export async function restoreText(dashboard: Dashboard, document: NoteDocument, text: string) {
  // The text replaces the one that has just been saved.
  await document.save()
  const { id: item, version: base } = document
  const change = { mutation: randomId(), item, kind: 'note', set: { text }, group: randomId(), base } as const
  const { data } = await call('POST /changes', { body: { changes: [change] } })
  const [note] = itemsOf('note', data.items)
  if (!note) throw problem('It was deleted for good elsewhere.')
  if (data.items[0]?.outcome === 'conflict') throw problem('It was changed elsewhere meanwhile. Try again.')
  dashboard.store.put(itemsIn(data))
  const title = shownTitle(summaryOf(note.text).title)
  dashboard.history.getState().add({ ...numberedBy(note.version), verb: 'revert', title })
}

const problem = (detail: string) =>
  new ProblemError({ type: 'about:blank', title: 'Not changed', status: 409, detail })
