import { createStore } from 'zustand/vanilla'
import { summaryOf } from '#contract/note-summary.ts'
import type { Note } from '#contract/notes.ts'
import { randomId, type StoredNote } from '../entry.ts'
import { createNoteDrafts, type Draft } from '../kept/note-drafts.ts'
import type { Parts } from '../parts.ts'
import { onceFor } from '../sync/once-for.ts'
import { type DocumentPort, fetchingAgain, portOf } from './note-calls.ts'
import { createNoteDocument, type NoteDocument } from './note-document.ts'

/** The open and the unsaved notes of an engine. Its code is loaded later. */
export const documentsOf = onceFor(createDocuments)

function createDocuments(engine: Parts) {
  const { needs, store, unsent, waiting } = engine
  const drafts = createNoteDrafts(unsent, needs)
  const port = portOf(engine, drafts)
  const documents = new Map<string, NoteDocument>()
  const failed = createStore<readonly NoteDocument[]>(() => [])

  /** The port of a draft. `name`: the id of the note, or the name from `adopt`. */
  const portFor = (name: string): DocumentPort => ({
    ...port,
    keep(id, draft) {
      // The lists show a new note as soon as something is typed.
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
    // If the note is open here, it gets the text of the draft from the server.
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

  function catchUp(id: string) {
    const document = documents.get(id)
    if (!document) return
    const [note, text] = [store.note(id), store.text(id)]
    // The store does not have an empty new note.
    if (!note) document.version > 0 && document.removedForGood()
    else document.changedElsewhere(text && text.version >= note.version ? text : note)
  }

  return {
    failed,
    get: (id: string) => documents.get(id),

    /** Keeps a note open until the returned function is called, which saves it. */
    use(document: NoteDocument) {
      document.uses++
      return () => {
        document.uses--
        document.save().then(() => forgetIfUnused(document))
      }
    },

    /** Opens a stored note. An open document merges a newer text. */
    open(note: Note): NoteDocument {
      const document = opened(note._id, note.text, note.version)
      document.changedElsewhere(note)
      return document
    },

    /** Fetches a note again if it changed between its answer and its opening, when only the lists followed it. */
    catchUp({ id }: NoteDocument) {
      if (store.note(id)) catchUp(id)
    },

    create: (id: string) => opened(id),

    write(text: string): string {
      const note = this.create(randomId())
      note.edit(text)
      note.save()
      return note.id
    },

    takeIn(saved: readonly Draft[]) {
      for (const draft of saved) {
        const name = randomId()
        drafts.keep(name, draft)
        adopt(draft, name)
      }
    },

    /** Saves everything. Returns whether the server has all of it. */
    async saveAll(): Promise<boolean> {
      await Promise.all([...documents.values()].map((document) => document.save()))
      return ![...documents.values()].some(({ isUnsaved }) => isUnsaved)
    },

    discardAll: () => each((document) => document.discard()),

    /** Takes over drafts, and saves when the page is hidden or closed. */
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
