import type { QueryClient } from '@tanstack/react-query'
import type { Note } from '#contract/notes.ts'
import { call } from '../api/client.ts'
import { storedAccount } from '../api/session.ts'
import { deltasOf, type News } from '../sync/deltas.ts'
import { followerOf } from '../sync/followers.ts'
import { perCache } from '../sync/per-cache.ts'
import { adoptDrafts, keepDraft } from './drafts.ts'
import { listedNote, reloadNotes, removeNotes, showInLists, showStoredNote } from './note-cache.ts'
import { createNoteDocument, type DocumentPort, type Draft, type NoteDocument } from './note-document.ts'

/** Browsers send no more than this many bytes after a page has closed. The rest waits in the draft. */
const keepaliveBytes = 60_000

/**
 * Until a save without an answer counts as failed, in milliseconds. A connection that ended without notice, for example
 * because a phone changed its network, stays open for many minutes. A slow one needs time for a long text.
 */
const longestSave = (length: number) => 20_000 + length

/** The notes that are open or not saved yet on the dashboard with this cache. */
export const documentsOf = perCache(createDocuments)

function createDocuments(queryClient: QueryClient) {
  // The account that wrote them. Another one may have logged in by the time a draft is kept.
  const account = storedAccount()
  const documents = new Map<string, NoteDocument>()
  /** How many places show a note. */
  const uses = new Map<string, number>()
  const failureListeners = new Set<() => void>()
  let failures: readonly NoteDocument[] = []

  const port: DocumentPort = {
    async send(id, base, mutation, set, keepalive) {
      const changes = [{ mutation, item: id, kind: 'note' as const, base, set }]
      const length = 'text' in set ? set.text.length : 0
      const isShort = length * 3 < keepaliveBytes
      const signal = AbortSignal.timeout(longestSave(length))
      const { data } = await followerOf(queryClient).writeItem(
        () => call('POST /changes', { body: { changes }, keepalive: keepalive && isShort, signal }),
        ({ data }) => data.results[0]?.note,
      )
      const [result] = data.results
      if (!result) throw new Error('The server did not confirm it.')
      return { outcome: result.outcome, note: result.note ?? null }
    },
    fetch: async (id) => (await call('GET /notes/:id', { params: { id } })).data.note,
    keep: (id, draft) => keepDraft(account, id, draft),
    onStored: (note) => showStoredNote(queryClient, note),
  }

  function begin(draft: Draft, ownPort = port): NoteDocument {
    const document = createNoteDocument(ownPort, draft)
    documents.set(draft.id, document)
    document.subscribe(() => {
      forgetIfUnused(document)
      listFailures()
    })
    return document
  }

  function listFailures() {
    const next = [...documents.values()].filter(
      ({ state, isUnsaved }) => isUnsaved && (state.is === 'failed' || state.is === 'gone'),
    )
    if (next.length === failures.length && next.every((document, index) => document === failures[index]))
      return
    failures = next
    for (const listener of failureListeners) listener()
  }

  /** A note that is neither shown nor unsaved is in the cache alone. */
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
    // The note is open here: what the draft adds comes by way of the server.
    const apart = createNoteDocument({ ...ownPort, onStored: showWritten }, draft)
    apart.save()
  }

  function showWritten(note: Note) {
    showStoredNote(queryClient, note)
    documents.get(note._id)?.changedElsewhere(note)
  }

  function onNews({ notes = [], written = [], purged = [], reset }: News) {
    if (reset) reloadNotes(queryClient)
    for (const note of notes) {
      showInLists(queryClient, note)
      documents.get(note._id)?.changedElsewhere(note)
    }
    for (const note of written) showWritten(note)
    if (purged.length > 0) removeNotes(queryClient, purged)
    for (const id of purged) documents.get(id)?.removedForGood()
  }

  return {
    get: (id: string) => documents.get(id),

    /** The document of a stored note. One that is open already takes what is newer. */
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
    catchUp(document: NoteDocument) {
      const listed = listedNote(queryClient, document.id)
      if (listed) document.changedElsewhere(listed)
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

    showWritten,

    /** The documents that could not be saved. */
    failures: () => failures,
    onFailures(listener: () => void) {
      failureListeners.add(listener)
      return () => void failureListeners.delete(listener)
    },

    /** Saves everything, also what is on its way. Returns whether the server has all of it. */
    async saveAll(): Promise<boolean> {
      await Promise.all([...documents.values()].map((document) => document.save()))
      return ![...documents.values()].some(({ isUnsaved }) => isUnsaved)
    },

    /** Forgets what is unsaved, at logout. */
    discardAll() {
      for (const document of documents.values()) document.discard()
    },

    /** Takes over drafts, follows others' changes, and saves when the page is hidden or closes. */
    start(): () => void {
      const controller = new AbortController()
      const { signal } = controller
      const leave = () => {
        for (const document of documents.values()) {
          document.keepDraft()
          document.save({ keepalive: true })
        }
      }
      const onVisibility = () => document.visibilityState === 'hidden' && leave()
      document.addEventListener('visibilitychange', onVisibility, { signal })
      window.addEventListener('pagehide', leave, { signal })
      const unsubscribe = deltasOf(queryClient).subscribe(onNews)
      adoptDrafts(account, adopt, signal)
      return () => {
        controller.abort()
        unsubscribe()
      }
    },
  }
}
