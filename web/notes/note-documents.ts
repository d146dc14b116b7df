import type { QueryClient } from '@tanstack/react-query'
import type { Note } from '#contract/notes.ts'
import { storedAccount } from '../api/session.ts'
import type { Store } from '../store/store.ts'
import { storeOf } from '../store/use-store.ts'
import { createListeners } from '../sync/listeners.ts'
import { perCache } from '../sync/per-cache.ts'
import { type DocumentPort, portOf } from './document-port.ts'
import { adoptDrafts, type Draft, keepDraft } from './drafts.ts'
import { createNoteDocument, type NoteDocument } from './note-document.ts'
import { historyKey, noteKey } from './note-queries.ts'

/** The notes that are open or not saved yet on the dashboard with this cache. */
export const documentsOf = perCache(createDocuments)

function createDocuments(queryClient: QueryClient) {
  // The account that wrote them. Another one may have logged in by the time a draft is kept.
  const account = storedAccount()
  const store = storeOf(queryClient)
  const documents = new Map<string, NoteDocument>()
  /** How many places show a note. */
  const uses = new Map<string, number>()
  const port = portOf(account, store)
  const { update: listFailures, ...failed } = createFailures(documents)

  function begin(draft: Draft, ownPort = port): NoteDocument {
    const document = createNoteDocument(ownPort, draft)
    documents.set(draft.id, document)
    document.subscribe(() => {
      forgetIfUnused(document)
      listFailures()
    })
    return document
  }

  /** Removes the document of a note that is not shown and is saved. */
  function forgetIfUnused(document: NoteDocument) {
    const isUsed = (uses.get(document.id) ?? 0) > 0
    if (isUsed || document.isUnsaved || document.state.is === 'saving') return
    if (documents.get(document.id) === document) documents.delete(document.id)
    document.close()
    listFailures()
  }

  function adopt(draft: Draft, name: string) {
    const ownPort: DocumentPort = { ...port, keep: (_id, kept) => keepDraft(account, name, kept) }
    if (!documents.has(draft.id)) return void begin(draft, ownPort).save()
    // The note is open here: the document gets the text of the draft from the server.
    const apart = createNoteDocument(ownPort, draft)
    apart.save()
  }

  store.subscribe((ids) => {
    for (const id of ids) catchUp(id)
    fetchAgain(queryClient, ids, store)
  })

  /** Gives the document of a note the version of the store. */
  function catchUp(id: string) {
    const document = documents.get(id)
    if (!document) return
    const [note, text] = [store.note(id), store.text(id)]
    if (!note) document.removedForGood()
    else document.changedElsewhere(text && text.version >= note.version ? text : note)
  }

  return {
    get: (id: string) => documents.get(id),

    /** The document of a stored note. A document that is open already merges a newer text. */
    open(note: Note): NoteDocument {
      const open = documents.get(note._id)
      if (open) {
        open.changedElsewhere(note)
        return open
      }
      return begin({
        id: note._id,
        text: note.text,
        stored: { text: note.text, version: note.version },
        sent: undefined,
      })
    },

    /** Fetches a note again if it changed between its answer and its opening: until then, only the lists follow it. */
    catchUp({ id }: NoteDocument) {
      if (store.note(id)) catchUp(id)
    },

    /** A note that does not exist yet: its first character creates it. */
    create: (id: string) =>
      documents.get(id) ?? begin({ id, text: '', stored: { text: '', version: 0 }, sent: undefined }),

    /** Keeps a note open until the returned function is called. It is saved then. */
    use(document: NoteDocument) {
      uses.set(document.id, (uses.get(document.id) ?? 0) + 1)
      return () => {
        uses.set(document.id, (uses.get(document.id) ?? 1) - 1)
        document.save().then(() => forgetIfUnused(document))
      }
    },

    ...failed,

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
      saveWhenHidden(documents, controller.signal)
      adoptDrafts(account, adopt, controller.signal)
      return () => controller.abort()
    },
  }
}

/** The documents that could not be saved. The array is the same until they change. */
function createFailures(documents: ReadonlyMap<string, NoteDocument>) {
  const listeners = createListeners()
  let failures: readonly NoteDocument[] = []
  return {
    failures: () => failures,
    onFailures: listeners.subscribe,
    update() {
      const next = [...documents.values()].filter(
        ({ state, isUnsaved }) => isUnsaved && (state.is === 'failed' || state.is === 'gone'),
      )
      if (next.length === failures.length && next.every((document, index) => document === failures[index]))
        return
      failures = next
      listeners.tell()
    },
  }
}

/** Fetches the shown histories of changed notes again, and notes that are gone. */
function fetchAgain(queryClient: QueryClient, ids: ReadonlySet<string>, store: Store) {
  for (const { queryKey } of queryClient.getQueryCache().findAll({ type: 'active' })) {
    const [of, id = ''] = queryKey as string[]
    if (!ids.has(id)) continue
    if (of === historyKey('')[0]) queryClient.invalidateQueries({ queryKey })
    // It is asked for again, so that the page says that it is gone.
    else if (of === noteKey('')[0] && !store.note(id)) queryClient.resetQueries({ queryKey })
  }
}

function saveWhenHidden(documents: ReadonlyMap<string, NoteDocument>, signal: AbortSignal) {
  const leave = () => {
    for (const document of documents.values()) {
      document.keepDraft()
      document.save({ keepalive: true })
    }
  }
  const onVisibility = () => document.visibilityState === 'hidden' && leave()
  document.addEventListener('visibilitychange', onVisibility, { signal })
  window.addEventListener('pagehide', leave, { signal })
}
