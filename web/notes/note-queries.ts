import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { NoteSummary } from '#contract/notes.ts'
import { call } from '../api/client.ts'
import type { Dashboard } from '../state/dashboard.tsx'
import { noteRule } from '../store/item-rules.ts'
import { expectProgress } from '../store/task-lists.ts'

// As for lists of tasks, a failure is reported at once, and only the change log leads to another request.
const settings = {
  retry: false,
  networkMode: 'always',
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const

type PageStart = { cursor: string; after: NoteSummary } | undefined

async function fetchNotes({ store }: Dashboard, start?: PageStart, signal?: AbortSignal) {
  const query = { deleted: false, ...(start && { cursor: start.cursor }) }
  const { data } = await call('GET /notes', { query, ...(signal && { signal }) })
  const [after, next] = [data.notes.at(-1), data.nextCursor]
  if (start && after && next !== undefined) expectProgress(noteRule(false).compare(start.after, after))
  store.put({ items: data.notes })
  return { next: after && next !== undefined ? { cursor: next, after } : undefined }
}

/** Asks for the first page again. */
export async function reloadNotes(dashboard: Dashboard) {
  const page = await fetchNotes(dashboard)
  dashboard.queryClient.setQueryData(noteListQuery(dashboard).queryKey, {
    pages: [page],
    pageParams: [undefined],
  })
}

/** The calls of the notes, page by page. They fill the store; an answer here says where the next page begins. */
export const noteListQuery = (dashboard: Dashboard) =>
  infiniteQueryOptions({
    queryKey: ['notes'],
    queryFn: ({ pageParam, signal }) => fetchNotes(dashboard, pageParam, signal),
    initialPageParam: undefined as PageStart,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
    ...settings,
  })

export const noteKey = (id: string) => ['note', id] as const

/** Milliseconds from the press on a note in the list, which fetches it, to its opening. */
const press = 1000

/**
 * The call of a note, whose text it puts into the store. It is made by each opening, unless the press that opens the note
 * has done so.
 */
export const noteQuery = (dashboard: Dashboard, id: string) =>
  queryOptions({
    queryKey: noteKey(id),
    queryFn: ({ signal }) => fetchNote(dashboard, id, signal),
    ...settings,
    refetchOnMount: ({ state }) => (Date.now() - state.dataUpdatedAt > press ? 'always' : false),
  })

async function fetchNote(dashboard: Dashboard, id: string, signal?: AbortSignal) {
  if (!dashboard.store.text(id)) readKeptText(dashboard, id)
  const { note } = (await call('GET /notes/:id', { params: { id }, ...(signal && { signal }) })).data
  dashboard.store.put({ texts: [note] })
  return note.version
}

/** Asks for a note again. */
export const reloadNote = async (dashboard: Dashboard, id: string) =>
  void dashboard.queryClient.setQueryData(noteKey(id), await fetchNote(dashboard, id))

/** A text that this device has kept is shown until the answer comes. */
async function readKeptText({ device, store }: Dashboard, id: string) {
  const note = await (await device.promise).text(id).catch(console.warn)
  if (note) store.put({ texts: [note] })
}

export const historyKey = (id: string) => ['note history', id] as const
