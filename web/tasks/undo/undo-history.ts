import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Task } from '#contract/tasks.ts'
import { storedAccount } from '../../api/session.ts'
import { perCache } from '../../sync/per-cache.ts'

/**
 * What this tab did to a task, and the number of that change in the log, by which it is undone. With `isGroup` it is the
 * newest of several changes that are undone together, and the title says to how many tasks.
 */
export type Step = {
  seq: number
  isGroup?: boolean
  deed:
    | 'Added'
    | 'Changed'
    | 'Deleted'
    | 'Completed'
    | 'Reopened'
    | 'Restored'
    | 'Moved'
    | 'Pinned'
    | 'Unpinned'
  title: string
}

export type Direction = 'undo' | 'redo'

/** What is said about the newest step: that it was made, undone, or could not be undone or redone. */
export type Notice = { step: Step } & (
  | { about: 'made' | 'undone' }
  | ({ about: 'failed'; direction: Direction } & Failure)
)

/** `isFinal`: it can never be undone or redone. */
type Failure = { reason: string; isFinal: boolean }

export type UndoHistory = Record<Direction, Step[]> & {
  notice: Notice | undefined
  /** A change was made. What was undone before it cannot be redone. */
  made: (step: Step) => void
  /** A step was undone or redone; `seq` is the number of the change that did so, and undoes it in turn. */
  reversed: (direction: Direction, step: Step, seq: number) => void
  failed: (direction: Direction, step: Step, failure: Failure) => void
  dismiss: () => void
}

/** The number of steps that can be undone, and the characters of a title that are kept. */
const [longestHistory, longestTitle] = [50, 200]

const without = (steps: Step[], step: Step) => steps.filter(({ seq }) => seq !== step.seq)

/** What this tab did and undid, newest last. */
export const createUndoHistory = () =>
  createStore<UndoHistory>()((set) => ({
    undo: [],
    redo: [],
    notice: undefined,
    made(made) {
      const step = { ...made, title: [...made.title].slice(0, longestTitle).join('') }
      set(({ undo }) => ({
        undo: [...undo, step].slice(-longestHistory),
        redo: [],
        notice: { step, about: 'made' },
      }))
    },
    reversed(direction, step, seq) {
      const reverse = { ...step, seq }
      set(({ undo, redo }) =>
        direction === 'undo'
          ? { undo: without(undo, step), redo: [...redo, reverse], notice: { step, about: 'undone' } }
          : { redo: without(redo, step), undo: [...undo, reverse], notice: { step, about: 'made' } },
      )
    },
    failed(direction, step, failure) {
      set((state) => ({
        ...(failure.isFinal && { [direction]: without(state[direction], step) }),
        notice: { step, about: 'failed', direction, ...failure },
      }))
    },
    dismiss: () => set({ notice: undefined }),
  }))

/** Keeps the history across reloads, for this tab and its user. Returns the function that stops it. */
export function keepUndoHistory(history: StoreApi<UndoHistory>): () => void {
  const key = `undo ${storedAccount()}`
  const kept = sessionStorage.getItem(key)
  if (kept !== null) history.setState(JSON.parse(kept))
  return history.subscribe(({ undo, redo }) => sessionStorage.setItem(key, JSON.stringify({ undo, redo })))
}

/** The history of the dashboard with this cache. */
export const undoHistoryOf = perCache(createUndoHistory)

/** Offers to undo a change. The version of a task after a change is the number of that change. */
export const remember = (
  cache: object,
  deed: Step['deed'],
  { version: seq, title }: Pick<Task, 'version' | 'title'>,
) => undoHistoryOf(cache).getState().made({ seq, deed, title })
