import { createStore } from 'zustand/vanilla'
import { summaryOf } from '#contract/note-summary.ts'
import type { Note } from '#contract/notes.ts'
import { randomId, type StoredNote } from '../entry.ts'
import { createNoteDrafts, type Draft } from '../kept/note-drafts.ts'
import type { Parts } from '../parts.ts'
import { onceFor } from '../sync/once-for.ts'
import { type DocumentPort, fetchingAgain, portOf } from './note-calls.ts'
import { createNoteDocument, type NoteDocument } from './note-document.ts'

/** The notes of an engine that are open or not saved yet. A function of its own, because their code is loaded later. */
export const documentsOf = onceFor(createDocuments)

function createDocuments(engine: Parts) {
  const { needs, store, unsent, waiting } = engine
  const drafts = createNoteDrafts(unsent, needs)
  const port = portOf(engine, drafts)
  const documents = new Map<string, NoteDocument>()
  /** The documents that could not be saved, until they are. */
  const failed = createStore<readonly NoteDocument[]>(() => [])

  /** The port of a draft with this name, which is the id of its note or the name that it was adopted with. */
  const portFor = (name: string): DocumentPort => ({
    ...port,
    keep(id, draft) {
      // The lists show a note that the server does not have yet, too, as soon as something is typed.
      store.showFresh(id, draft?.stored.version === 0 ? freshNote(draft) : undefined)
      return port.keep(name, draft)
    },
  })

  function begin(draft: Draft, name = draft.id): NoteDocument {
    const document = createNoteDocument(portFor(name), draft)
    documents.set(draft.id, document)
    document.subscribe(() => {
      forgetIfUnused(document)
      listFailures()
    })
    return document
  }

  const opened = (id: string, text = '', version = 0) =>
    documents.get(id) ?? begin({ id, text, stored: { text, version }, sent: undefined })

  function each(work: (document: NoteDocument) => void) {
    for (const document of documents.values()) work(document)
  }

  /** Removes the document of a note that is not shown and is saved. */
  function forgetIfUnused(document: NoteDocument) {
    if (document.uses > 0 || document.isUnsaved || document.state.is === 'waiting') return
    if (documents.get(document.id) === document) documents.delete(document.id)
    document.close()
    listFailures()
  }

  function listFailures() {
    const before = failed.getState()
    const next = [...documents.values()].filter(
      (document) =>
        document.isUnsaved &&
        (['unknown', 'failed', 'gone'].includes(document.state.is) || before.includes(document)),
    )
    if (next.length === before.length && next.every((document, index) => document === before[index])) return
    failed.setState(next, true)
    waiting.showNotes(next.map(({ id, unsavedSince: at }) => ({ items: [id], at })))
  }

  function adopt(draft: Draft, name: string) {
    // If the note is open here, its document gets the text of the draft from the server.
    const document = documents.has(draft.id) ? createNoteDocument(portFor(name), draft) : begin(draft, name)
    document.save()
  }

  waiting.keeping.subscribe(() => each((document) => document.keepDraft()))
  const fetchAgain = fetchingAgain(engine)
  store.onReplaced(() => each((document) => document.loseBase()))
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
    failed,
    get: (id: string) => documents.get(id),

    /** Keeps a note open until the returned function is called. It is saved then. */
    use(document: NoteDocument) {
      document.uses++
      return () => {
        document.uses--
        document.save().then(() => forgetIfUnused(document))
      }
    },

    /** The document of a stored note. A document that is open already merges a newer text. */
    open(note: Note): NoteDocument {
      const document = opened(note._id, note.text, note.version)
      document.changedElsewhere(note)
      return document
    },

    /** Fetches a note again if it changed between its answer and its opening: until then, only the lists follow it. */
    catchUp({ id }: NoteDocument) {
      if (store.note(id)) catchUp(id)
    },

    /** A note that does not exist yet: its first character creates it. */
    create: (id: string) => opened(id),

    /** Writes a note without opening it, and returns its id. The lists have it at once. */
    write(text: string): string {
      const note = this.create(randomId())
      note.edit(text)
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
    discardAll: () => each((document) => document.discard()),

    /** Takes over drafts, and saves when the page is hidden or closes. */
    start(): () => void {
      const controller = new AbortController()
      const { signal } = controller
      const leave = (document: NoteDocument) => {
        document.keepDraft()
        document.save({ keepalive: true })
      }
      needs.on(['hidden'], () => each(leave), signal)
      drafts.adopt(adopt, signal)
      return () => controller.abort()
    },
  }
}

function freshNote({ id: _id, text, since: at = Date.now() }: Draft): StoredNote {
  const createdAt = new Date(at).toISOString()
  const unset = { version: 0, pinned: false, deletedAt: null }
  return { kind: 'note', _id, ...unset, ...summaryOf(text), createdAt, changedAt: createdAt }
}
