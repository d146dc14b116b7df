import type { QueryClient } from '@tanstack/react-query'
import { flushSync } from 'react-dom'
import { changesPerGroup } from '#contract/limits.ts'
import type { Task } from '#contract/tasks.ts'
import type { Change, ItemSet } from '../store/pending-change.ts'
import { explainTask, makeChanges } from './change-task.ts'
import { focusFirst } from './selection/cards.ts'
import { selectionOf } from './selection/selection.ts'
import type { TaskAction } from './undo/undo-history.ts'

export type GroupChange = {
  tasks: readonly Task[]
  /** The new values of a task; undefined if it already has them. */
  setOf: (task: Task) => ItemSet | undefined
  action: TaskAction
  /** The day, priority or tag that the tasks get, if it is the same for all. */
  value?: string
  /** Closes the dialog in which it was chosen. */
  close?: () => void
}

/**
 * Changes the selected tasks as they are shown, as one group that one press undoes. A task that another device has changed meanwhile
 * stays as it is there, and its card says so.
 */
export function changeTasks(queryClient: QueryClient, { close, ...change }: GroupChange) {
  // The dialog gives the focus back to the bar, and the bar to a card, from which it moves on if the card leaves the list.
  if (close) flushSync(close)
  const { ids, clear } = selectionOf(queryClient).getState()
  // Before the bar goes, together with the cards: all of them are rendered once.
  if (document.activeElement?.closest('[data-selection]')) focusFirst(ids)
  clear()
  const { tasks, setOf, ...step } = change
  const titles = new Map(tasks.map(({ _id, title }) => [_id, title]))
  const changes = tasks.flatMap((task): Change | [] => {
    const set = setOf(task)
    return set ? { item: task._id, base: task.version, set } : []
  })
  for (let start = 0; start < changes.length; start += changesPerGroup) {
    const group = changes.slice(start, start + changesPerGroup)
    const title = group.length > 1 ? '' : (titles.get(group[0]?.item ?? '') ?? '')
    makeChanges(queryClient, group, { ...step, title }).then((failures) => {
      for (const { entry, error } of failures) explainTask(queryClient, entry.item, step.action, error)
    })
  }
}
