import { useEffect, useMemo, useReducer, useSyncExternalStore } from 'react'
import { checkLinesIn } from '#contract/check-lines.ts'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import { taskLinkIn } from '../engine/notes/task-line.ts'
import type { LinkedItems } from './markdown/linked-items.ts'

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
  return all > 0 && <p className="note-progress soft small">{`${done} of ${all} done`}</p>
}

/** Counts lines with a checkbox or a link to a task, and those that are done. For an unknown task, the checkbox decides. */
export function progressOf(text: string, isTaskDone: (id: string) => boolean | undefined) {
  let [done, all] = [0, 0]
  const checks = new Map([...checkLinesIn(text)].map(({ line, checked }) => [line, checked]))
  for (const [number, line] of text.split('\n').entries()) {
    const task = line.includes('](task:') ? taskLinkIn(line) : undefined
    const isDone = (task && isTaskDone(task)) ?? checks.get(number)
    if (isDone === undefined) continue
    all++
    if (isDone) done++
  }
  return { done, all }
}
