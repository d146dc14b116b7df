import type { Note, NoteSummary } from '#contract/notes.ts'
import { postChanges } from '../journal/ways.ts'
import type { NoteDrafts } from '../kept/note-drafts.ts'
import type { Parts } from '../parts.ts'
import { compareNotes } from '../store/item-rules.ts'
import { expectProgress } from '../store/task-lists.ts'

type NotesPage = { next: { cursor: string; after: NoteSummary } | undefined }

/** The list of notes. An answer here only says where the next page begins. */
export const notesOf = ({ needs, fetched, store }: Parts) =>
  fetched.of<NotesPage>('notes', async (page, signal) => {
    const start = page?.next
    const query = { deleted: false, ...(start && { cursor: start.cursor }) }
    const { data } = await needs.call('GET /notes', { query, signal })
    const [after, next] = [data.notes.at(-1), data.nextCursor]
    if (start && after && next !== undefined) expectProgress(compareNotes(start.after, after))
    store.put({ notes: data.notes })
    return { next: after && next !== undefined ? { cursor: next, after } : undefined }
  })

/** Milliseconds from the press on a note, which fetches it, to its opening, which uses that answer. */
export const press = 1000

export const noteName = (id: string) => `note ${id}`

export const noteOf = ({ needs, fetched, store, device }: Parts, id: string) =>
  fetched.of(noteName(id), async (_, signal) => {
    if (!store.text(id)) readKeptText()
    const { note } = (await needs.call('GET /notes/:id', { params: { id }, signal })).data
    store.put({ texts: [note] })
    return {}

    async function readKeptText() {
      const kept = await (await device.promise).texts.get(id).catch(console.warn)
      if (kept) store.put({ texts: [kept] })
    }
  })

export const historyName = (id: string) => `history of ${id}`

/** Returns a function that fetches shown histories of changed notes again, and notes that are gone. */
export function fetchingAgain({ needs, fetched, store }: Parts) {
  const changed = new Set<string>()

  /** The outdated names that are open. A note that is gone is fetched so that the page says so. */
  const outdated = (ids: ReadonlySet<string>) =>
    [...ids].flatMap((id) => {
      const names = store.note(id) ? [historyName(id)] : [historyName(id), noteName(id)]
      return names.flatMap((name) => fetched.open(name) ?? [])
    })

  const fetchAgain = needs.paced(() => {
    for (const { refetch } of outdated(changed)) refetch()
    changed.clear()
  }, new AbortController().signal)

  return (ids: ReadonlySet<string>) => {
    if (outdated(ids).length === 0) return
    for (const id of ids) changed.add(id)
    fetchAgain()
  }
}

export type Result = { outcome: 'applied' | 'merged' | 'duplicate' | 'conflict'; note: Note | null }

export type DocumentPort = ReturnType<typeof portOf>

/** Browsers send at most this many bytes after a page has closed. Longer texts wait in the draft. */
const keepaliveBytes = 60_000

export const portOf = (
  { needs, store }: Pick<Parts, 'needs' | 'store'>,
  drafts: Pick<NoteDrafts, 'keep'>,
) => ({
  async send(
    item: string,
    base: number,
    mutation: string,
    set: { text: string } | { deleted: false },
    keepalive: boolean,
  ): Promise<Result> {
    const isShort = !('text' in set) || set.text.length * 3 < keepaliveBytes
    const changes = [{ mutation, item, kind: 'note' as const, base, set }]
    const [result] = await postChanges(needs, changes, keepalive && isShort)
    if (result?.kind !== 'note') throw new Error('The server did not confirm it.')
    return { outcome: result.outcome, note: result.item }
  },
  fetch: async (id: string) => (await needs.call('GET /notes/:id', { params: { id } })).data.note,
  keep: drafts.keep,
  onStored: (note: Note) => store.put({ texts: [note] }),
  wait: needs.wait,
})
