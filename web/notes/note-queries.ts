import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { NoteSummary } from '#contract/notes.ts'
import { call } from '../api/client.ts'
import { noteRule } from '../store/item-rules.ts'
import { expectProgress } from '../store/task-lists.ts'
import { deviceOf, storeOf } from '../store/use-store.ts'

// As for lists of tasks, a failure is reported at once, and only the change log leads to another request.
const settings = {
  retry: false,
  networkMode: 'always',
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const

type PageStart = { cursor: string; after: NoteSummary } | undefined

async function fetchNotes(queryClient: QueryClient, start?: PageStart, signal?: AbortSignal) {
  const query = { deleted: false, ...(start && { cursor: start.cursor }) }
  const { data } = await call('GET /notes', { query, ...(signal && { signal }) })
  const [after, next] = [data.notes.at(-1), data.nextCursor]
  if (start && after && next !== undefined) expectProgress(noteRule(false).compare(start.after, after))
  storeOf(queryClient).put({ items: data.notes })
  return { next: after && next !== undefined ? { cursor: next, after } : undefined }
}

/** Asks for the first page again. */
export async function reloadNotes(queryClient: QueryClient) {
  const page = await fetchNotes(queryClient)
  queryClient.setQueryData(noteListQuery.queryKey, { pages: [page], pageParams: [undefined] })
}

/** The calls of the notes, page by page. They fill the store; an answer here says where the next page begins. */
export const noteListQuery = infiniteQueryOptions({
  queryKey: ['notes'],
  queryFn: ({ client, pageParam, signal }) => fetchNotes(client, pageParam, signal),
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
export const noteQuery = (id: string) =>
  queryOptions({
    queryKey: noteKey(id),
    queryFn: ({ client, signal }) => fetchNote(client, id, signal),
    ...settings,
    refetchOnMount: ({ state }) => (Date.now() - state.dataUpdatedAt > press ? 'always' : false),
  })

async function fetchNote(queryClient: QueryClient, id: string, signal?: AbortSignal) {
  if (!storeOf(queryClient).text(id)) readKeptText(queryClient, id)
  const { note } = (await call('GET /notes/:id', { params: { id }, ...(signal && { signal }) })).data
  storeOf(queryClient).put({ texts: [note] })
  return note.version
}

/** Asks for a note again. */
export const reloadNote = async (queryClient: QueryClient, id: string) =>
  void queryClient.setQueryData(noteKey(id), await fetchNote(queryClient, id))

/** A text that this device has kept is shown until the answer comes. */
async function readKeptText(client: QueryClient, id: string) {
  const device = await deviceOf(client).promise
  const note = await device.text(id).catch(console.warn)
  if (note) storeOf(client).put({ texts: [note] })
}

export const historyKey = (id: string) => ['note history', id] as const
