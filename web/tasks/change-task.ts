import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Task } from '#contract/tasks.ts'
import { randomId } from '../api/random-id.ts'
import { isGone } from '../store/change-errors.ts'
import type { Outbox } from '../store/outbox.ts'
import { type Change, type Entry, type ItemSet, isWithoutEffect, nameOf } from '../store/pending-change.ts'
import { storeOf } from '../store/use-store.ts'
import { perCache } from '../sync/per-cache.ts'
import { listsRendered } from './lists-rendered.ts'
import { outboxOf } from './outbox.ts'
import { notStored } from './undo/step-texts.tsx'
import { type Step, type TaskAction, undoHistoryOf } from './undo/undo-history.ts'

type Options = Parameters<Outbox['make']>[1]
type NotStored = { entry: Entry; error: Error }

/** Makes changes that are undone together, which are shown at once. `failed` are those that were not stored, in the end. */
export function makeTogether(queryClient: QueryClient, changes: readonly Change[], options?: Options) {
  failuresOf(queryClient).setState(Object.fromEntries(changes.map(({ item }) => [item, undefined])))
  const group = changes.length > 1 && { group: randomId() }
  const results = outboxOf(queryClient).make(changes, { ...options, ...group })
  const outcomes = results.map(({ entry, outcome }) =>
    outcome.then(
      () => [],
      (error: Error): NotStored[] => [{ entry, error }],
    ),
  )
  const [first] = results
  return {
    results,
    name: first && nameOf(first.entry),
    failed: Promise.all(outcomes).then((all) => all.flat()),
  }
}

/**
 * Makes changes that are undone together, which are shown at once and remembered for Undo. Settles when the server has
 * stored them, or they are kept without a network; returns those that were not stored and are shown no longer.
 */
export async function makeChanges(
  queryClient: QueryClient,
  changes: readonly Change[],
  step: Pick<Step, 'action' | 'title' | 'value'>,
  options?: Options,
): Promise<NotStored[]> {
  const history = undoHistoryOf(queryClient).getState()
  const store = storeOf(queryClient)
  // A change without effect is no step, so it would stay when those before it are undone.
  const made = options?.was
    ? changes
    : changes.filter((each) => !isWithoutEffect(store.current(each.item), each))
  const { results, name, failed } = makeTogether(queryClient, made, options)
  const valuesOf = (which: 'before' | 'after') =>
    Object.fromEntries(results.map(({ entry, [which]: values }) => [entry.item, values]))
  const of = made.length > 1 ? { count: made.length } : { item: made[0]?.item ?? '' }
  if (name) history.add({ name, ...of, ...step, before: valuesOf('before'), after: valuesOf('after') })
  const failures = await failed
  for (const { entry, error } of failures) {
    console.error(error)
    history.numbered(entry, undefined)
  }
  return failures
}

/** Makes a change. Rejects if it was not stored and is shown no longer. */
export async function makeChange(
  queryClient: QueryClient,
  change: Change,
  step: Parameters<typeof makeChanges>[2],
  options?: Options,
): Promise<void> {
  const [failure] = await makeChanges(queryClient, [change], step, options)
  if (failure) throw failure.error
}

/** Makes a change of a task. If it is not stored, its card says why, or the bar: nothing opens then that would take keys. */
export const makeOrExplain = (
  queryClient: QueryClient,
  change: Change,
  step: Pick<Step, 'title' | 'value'> & { action: TaskAction },
) =>
  makeChange(queryClient, change, step).catch((error) =>
    explainTask(queryClient, change.item, step.action, error),
  )

/** Says that a change of a task has failed. A task that was deleted elsewhere leaves the lists. */
export function explainTask(queryClient: QueryClient, item: string, action: TaskAction, error: Error) {
  explain(queryClient, item, notStored[action], error)
  if (isGone(error)) storeOf(queryClient).remove([item])
}

type TaskChange = { task: Task; set: ItemSet; action: Step['action'] }

/**
 * Changes fields of a task as it is shown. If another device has changed the same fields or deleted the task, the lists show
 * that and the change fails.
 */
export function useChangeTask() {
  const queryClient = useQueryClient()
  return ({ task: { _id: item, version: base, title }, set, action }: TaskChange) =>
    makeChange(queryClient, { item, base, set }, { action, title }).catch((error) => {
      if (isGone(error)) storeOf(queryClient).remove([item])
      throw error
    })
}

/** Why the last change of an item failed. It is said at the item. */
type AtItem = { text: string; isGone: boolean }

const failuresOf = perCache(() => createStore<Record<string, AtItem | undefined>>(() => ({})))

/** Says at the item that a change has failed, in a sentence, and why; in the bar, if the item is not on the page. */
export async function explain(queryClient: QueryClient, item: string, sentence: string, error: Error) {
  const title = storeOf(queryClient).current(item)?.title || 'Untitled'
  const text = isGone(error) ? 'This task was deleted elsewhere.' : `${sentence} ${error.message}`
  failuresOf(queryClient).setState({ [item]: { text, isGone: isGone(error) } })
  await listsRendered()
  if (document.querySelector(`[data-task="${CSS.escape(item)}"]`)) return
  undoHistoryOf(queryClient).getState().rejected(title, text)
}

export const useFailure = (item: string) =>
  useStore(failuresOf(useQueryClient()), (failures) => failures[item])
