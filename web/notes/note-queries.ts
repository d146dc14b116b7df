import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Note } from '#contract/notes.ts'
import { call } from '../api/client.ts'
import { followerOf } from '../sync/followers.ts'

export const allNoteLists = { queryKey: ['notes'] }

// As for lists of tasks: a failure is reported at once, and nothing but the change log leads to another request.
const settings = {
  retry: false,
  networkMode: 'always',
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const

/** The notes, or the deleted ones, page by page, without their texts. */
export const noteListQuery = (deleted: boolean) =>
  infiniteQueryOptions({
    queryKey: [...allNoteLists.queryKey, { deleted }],
    async queryFn({ client, pageParam: cursor, signal }) {
      const follower = followerOf(client)
      const before = follower.held
      const answer = await call('GET /notes', { query: { deleted, ...(cursor && { cursor }) }, signal })
      // A further page is put behind the pages as they were when it was asked for.
      if (cursor && before !== undefined) follower.listed(before)
      follower.listed(answer.cursor)
      return answer.data
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
    ...settings,
  })

export const noteKey = (id: string) => ['note', id] as const

/** Milliseconds from the press on a note in the list, which fetches it, to its opening. */
const press = 1000

/** A note with its text. It is fetched by each opening, unless the press that opens it has done so. */
export const noteQuery = (id: string) =>
  queryOptions({
    queryKey: noteKey(id),
    queryFn: async ({ signal }): Promise<Note> =>
      (await call('GET /notes/:id', { params: { id }, signal })).data.note,
    ...settings,
    refetchOnMount: ({ state }) => (Date.now() - state.dataUpdatedAt > press ? 'always' : false),
  })

export const historyKey = (id: string) => ['note history', id] as const
