import { useEffect, useMemo, useReducer, useSyncExternalStore } from 'react'
import type { LinkedItems } from './markdown/linked-items.ts'
import type { NoteDocument } from './note-document.ts'
import { progressOf } from './progress.ts'

/** How many lines of a note are done, as of its last save. */
export function NoteProgress({ note, linked }: { note: NoteDocument; linked: LinkedItems }) {
  const state = useSyncExternalStore(note.subscribe, () => note.state)
  const [links, renew] = useReducer((count: number) => count + 1, 0)
  useEffect(() => linked.subscribe(renew), [linked])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text and the links are read again when these change
  const { done, all } = useMemo(
    () =>
      progressOf(note.text, (id) => {
        const item = linked.get({ kind: 'task', id })
        return item && !('gone' in item) ? item.isDone : undefined
      }),
    [note, linked, state, links],
  )
  return all > 0 && <p className="note-progress">{`${done} of ${all} done`}</p>
}
