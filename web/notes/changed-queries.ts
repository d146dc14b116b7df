import type { Dashboard } from '../state/dashboard.tsx'
import { paced } from '../sync/retry-delay.ts'
import { historyKey, noteKey } from './note-queries.ts'

/** Returns the function that fetches the shown histories of changed notes again, and notes that are gone. */
export function createChangedQueries({ queryClient, store }: Dashboard) {
  const changed = new Set<string>()

  /** The shown queries of these notes that are no longer true. */
  const queriesOf = (ids: ReadonlySet<string>) =>
    queryClient
      .getQueryCache()
      .findAll({ type: 'active' })
      .filter(({ queryKey }) => {
        const [of, id = ''] = queryKey as string[]
        return ids.has(id) && (of === historyKey('')[0] || (of === noteKey('')[0] && !store.note(id)))
      })

  const fetchAgain = paced(() => {
    for (const { queryKey } of queriesOf(changed)) {
      if (queryKey[0] === historyKey('')[0]) queryClient.invalidateQueries({ queryKey })
      // The note is fetched again, so that the page says that it no longer exists.
      else queryClient.resetQueries({ queryKey })
    }
    changed.clear()
  }, new AbortController().signal)

  return (ids: ReadonlySet<string>) => {
    if (queriesOf(ids).length === 0) return
    for (const id of ids) changed.add(id)
    fetchAgain()
  }
}
