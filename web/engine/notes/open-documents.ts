import type { Draft } from '../kept/note-drafts.ts'
import type { Needs } from '../needs.ts'
import { createListeners } from '../sync/listeners.ts'
import type { DocumentPort } from './document-port.ts'
import { createNoteDocument, type NoteDocument } from './note-document.ts'

/** The documents of notes that are shown or not saved yet, by id. Keeps a list of the documents that could not be saved. */
export function createOpenDocuments(needs: Pick<Needs, 'untilDone' | 'wait'>) {
  const documents = new Map<string, NoteDocument>()
  /** How many places show a note. */
  const uses = new Map<string, number>()
  const { update: listFailures, ...failed } = createFailures(documents)

  /** Removes the document of a note that is not shown and is saved. */
  function forgetIfUnused(document: NoteDocument) {
    const isUsed = (uses.get(document.id) ?? 0) > 0
    if (isUsed || document.isUnsaved || document.state.is === 'saving') return
    if (documents.get(document.id) === document) documents.delete(document.id)
    document.close()
    listFailures()
  }

  return {
    ...failed,
    documents: documents as ReadonlyMap<string, NoteDocument>,

    begin(draft: Draft, port: DocumentPort): NoteDocument {
      const document = createNoteDocument(needs, port, draft)
      documents.set(draft.id, document)
      document.subscribe(() => {
        forgetIfUnused(document)
        listFailures()
      })
      return document
    },

    /** Keeps a note open until the returned function is called. It is saved then. */
    use(document: NoteDocument) {
      uses.set(document.id, (uses.get(document.id) ?? 0) + 1)
      return () => {
        uses.set(document.id, (uses.get(document.id) ?? 1) - 1)
        document.save().then(() => forgetIfUnused(document))
      }
    },
  }
}

/** The documents that could not be saved, until they are. The array is the same until they change. */
function createFailures(documents: ReadonlyMap<string, NoteDocument>) {
  const listeners = createListeners()
  let failures: readonly NoteDocument[] = []
  return {
    failures: () => failures,
    onFailures: listeners.subscribe,
    update() {
      const next = [...documents.values()].filter(
        (document) =>
          document.isUnsaved &&
          (['failed', 'gone'].includes(document.state.is) || failures.includes(document)),
      )
      if (next.length === failures.length && next.every((document, index) => document === failures[index]))
        return
      failures = next
      listeners.tell()
    },
  }
}
