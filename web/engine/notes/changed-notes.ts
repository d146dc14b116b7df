import type { Parts } from '../parts.ts'
import { historyName, noteName } from './fetched-notes.ts'

/** Returns the function that fetches the shown histories of changed notes again, and notes that are gone. */
export function createChangedNotes({ needs, fetched, store }: Parts) {
  const changed = new Set<string>()

  /** What is shown of these notes and is no longer true. If a note is gone, the page says so after its call. */
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
