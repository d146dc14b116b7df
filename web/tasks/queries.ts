import { infiniteQueryOptions } from '@tanstack/react-query'
import { type ListName, lists } from '#contract/lists.ts'
import { call } from '../api/client.ts'

/** The key that the queries of all lists start with. */
export const allTaskLists = { queryKey: ['tasks'] }

/** A list, page by page. It is loaded by each opening, and by nothing else on its own. */
export const taskListQuery = (list: ListName) =>
  infiniteQueryOptions({
    queryKey: [...allTaskLists.queryKey, list],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const { data } = await call(lists[list].endpoint, { query: cursor ? { cursor } : {}, signal })
      return data
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // A failure is reported at once, offline too; whether to try again is the reader's choice.
    retry: false,
    networkMode: 'always',
  })
