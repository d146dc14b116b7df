import { summaryOf } from '#contract/note-summary.ts'
import type { Note } from '#contract/notes.ts'
import { randomId } from '../../api/random-id.ts'
import type { StoredNote } from '../items.ts'
import { createNoteDrafts, type Draft } from '../kept/note-drafts.ts'
import type { Needs } from '../needs.ts'
import type { Parts } from '../parts.ts'
import { onceFor } from '../sync/once-for.ts'
import { createChangedNotes } from './changed-notes.ts'
import { type DocumentPort, portOf } from './document-port.ts'
import { createNoteDocument, type NoteDocument } from './note-document.ts'
import { createOpenDocuments } from './open-documents.ts'

/** The notes of an engine that are open or not saved yet. A function of its own, because their code is a separate chunk. */
export const documentsOf = onceFor(createDocuments)

function createDocuments(engine: Parts) {
  const { needs, store, unsent } = engine
  const drafts = createNoteDrafts(unsent, needs)
  const port = portOf(engine, keeping(drafts.keep))
  const { documents, begin, ...others } = createOpenDocuments(needs)

  /** Shows a note that the server does not have yet in the lists, too, as soon as something is typed. */
  function keeping(keep: DocumentPort['keep']): DocumentPort['keep'] {
    return (id, draft) => {
      store.showFresh(id, draft?.stored.version === 0 ? freshNote(draft) : undefined)
      return keep(id, draft)
    }
  }

  function adopt(draft: Draft, name: string) {
    const ownPort: DocumentPort = { ...port, keep: keeping((_id, kept) => drafts.keep(name, kept)) }
    if (!documents.has(draft.id)) return void begin(draft, ownPort).save()
    // The note is open here: the document gets the text of the draft from the server.
    const apart = createNoteDocument(needs, ownPort, draft)
    apart.save()
  }

  const { waiting } = engine
  waiting.keeping.subscribe(() => {
    for (const document of documents.values()) document.keepDraft()
  })
  others.onFailures(() =>
    waiting.showNotes(others.failures().map(({ id, unsavedSince: at }) => ({ items: [id], at }))),
  )
  const fetchAgain = createChangedNotes(engine)
  store.onReplaced(() => {
    for (const document of documents.values()) document.loseBase()
  })
  store.subscribe((ids) => {
    for (const id of ids) catchUp(id)
    fetchAgain(ids)
  })

  /** Gives the document of a note the version of the store. */
  function catchUp(id: string) {
    const document = documents.get(id)
    if (!document) return
    const [note, text] = [store.note(id), store.text(id)]
    // A new note whose text was removed is not known to the store.
    if (!note) document.version > 0 && document.removedForGood()
    else document.changedElsewhere(text && text.version >= note.version ? text : note)
  }

  return {
    ...others,
    get: (id: string) => documents.get(id),

    /** The document of a stored note. A document that is open already merges a newer text. */
    open(note: Note): NoteDocument {
      const { _id: id, text, version } = note
      const open = documents.get(id)
      if (!open) return begin({ id, text, stored: { text, version }, sent: undefined }, port)
      open.changedElsewhere(note)
      return open
    },

    /** Fetches a note again if it changed between its answer and its opening: until then, only the lists follow it. */
    catchUp({ id }: NoteDocument) {
      if (store.note(id)) catchUp(id)
    },

    /** A note that does not exist yet: its first character creates it. */
    create: (id: string) =>
      documents.get(id) ?? begin({ id, text: '', stored: { text: '', version: 0 }, sent: undefined }, port),

    /** Writes a note without opening it, and returns its id. The lists have it at once. */
    write(text: string): string {
      const note = this.create(randomId())
      note.edit(text)
      note.keepDraft()
      note.save()
      return note.id
    },

    /** Takes in drafts that were saved as a file. */
    takeIn(saved: readonly Draft[]) {
      for (const draft of saved) {
        const name = randomId()
        drafts.keep(name, draft)
        adopt(draft, name)
      }
    },

    /** Saves everything, and waits for changes that were sent. Returns whether the server has all of it. */
    async saveAll(): Promise<boolean> {
      await Promise.all([...documents.values()].map((document) => document.save()))
      return ![...documents.values()].some(({ isUnsaved }) => isUnsaved)
    },

    /** Discards unsaved texts, at logout. */
    discardAll() {
      for (const document of documents.values()) document.discard()
    },

    /** Takes over drafts, and saves when the page is hidden or closes. */
    start(): () => void {
      const controller = new AbortController()
      saveWhenHidden(needs, documents, controller.signal)
      drafts.adopt(adopt, controller.signal)
      return () => controller.abort()
    },
  }
}

function freshNote({ id: _id, text, since: at = Date.now() }: Draft): StoredNote {
  const createdAt = new Date(at).toISOString()
  const unset = { version: 0, pinned: false, deletedAt: null }
  return { kind: 'note', _id, ...unset, ...summaryOf(text), createdAt, changedAt: createdAt }
}

function saveWhenHidden(
  { onHidden }: Needs,
  documents: ReadonlyMap<string, NoteDocument>,
  signal: AbortSignal,
) {
  onHidden(() => {
    for (const document of documents.values()) {
      document.keepDraft()
      document.save({ keepalive: true })
    }
  }, signal)
}
