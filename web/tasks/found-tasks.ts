import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { compareRanks, foldedOf, hasWords, inTitle, type Rank, wordsOf } from '#contract/search.ts'
import type { Found } from '#contract/searches.ts'
import type { Task } from '#contract/tasks.ts'
import { call } from '../api/client.ts'
import { followerOf } from '../sync/followers.ts'
import { allTaskLists, networkMode } from './queries.ts'
import { without } from './task-lists.ts'

/** The response to a search, and the folded words that it is the response to. */
export type FoundTasks = Found & { words: readonly string[] }

/** The key that all searches start with. They are task lists: a write cancels and repeats them in the same way. */
export const searchesHeld = { queryKey: [...allTaskLists.queryKey, 'search'] }

/** A search. Until it is answered, the response to the last one stays; an earlier one never replaces a later one. */
export const foundQuery = (text: string, limit: number) => {
  const words = wordsOf(text)
  return queryOptions({
    queryKey: [...searchesHeld.queryKey, text, limit],
    async queryFn({ client, signal }): Promise<FoundTasks> {
      const { data, cursor } = await call('GET /search', { query: { q: text, limit }, signal })
      followerOf(client).listed(cursor)
      return { ...data, words }
    },
    enabled: words.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
    networkMode,
  })
}

/**
 * The search with the stored task as it is now: where it was, or if it is new, where its rank is. A task that no longer
 * contains the words leaves.
 */
export function withFound(found: FoundTasks, stored: Task): FoundTasks {
  const { tasks, words, more } = found
  const place = tasks.findIndex(({ _id }) => _id === stored._id)
  if (stored.version < (tasks[place]?.version ?? 0)) return found
  if (stored.deletedAt !== null || !hasWords(foldedOf(stored), words)) return withoutFound(found, stored._id)
  if (place >= 0) return { ...found, tasks: tasks.with(place, stored) }
  const rank = rankOf(stored, words)
  const next = tasks.findIndex((task) => compareRanks(rank, rankOf(task, words)) < 0)
  if (next < 0 && more) return found
  return { ...found, tasks: tasks.toSpliced(next < 0 ? tasks.length : next, 0, stored) }
}

/** The search without a task or note that has gone. */
export function withoutFound(found: FoundTasks, id: string): FoundTasks {
  const tasks = without(found.tasks, id)
  const notes = found.notes.filter(({ _id }) => _id !== id)
  return tasks === found.tasks && notes.length === found.notes.length ? found : { ...found, tasks, notes }
}

const rankOf = (task: Task, words: readonly string[]): Rank => ({
  id: task._id,
  isDone: task.doneAt !== null,
  inTitle: inTitle(foldedOf(task), words),
  createdAt: Date.parse(task.createdAt),
})
