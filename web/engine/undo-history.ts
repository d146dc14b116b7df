import { createStore, type StoreApi } from 'zustand/vanilla'
import { type Change, type Done, type Entry, nameOf, type Values, type Verb } from './entry.ts'
import type { Needs } from './needs.ts'
import { verbs } from './verbs/verbs.ts'

/**
 * A change of this tab to a task or note, which has the title, or a group of changes of `count` items, without a title. As long as the task
 * is there, so is the link of its line.
 */
type Said = Done & { verb: Verb; title: string; item?: string; count?: number }

export type Step = Said & {
  /** The name by which it is undone: that of its entries in the journal. */
  name: string
  /** The number of the change, or of one of its group; unknown until the server has stored it. */
  seq?: number
  /** The changes themselves, if they were taken back before they were sent. */
  changes?: Change[]
  /** The values before and after the change, by item, so that undoing can be shown at once. */
  values?: Record<string, ValuesAround>
  /** The name of the first step of a run: the same was done to one item after the other while the bar showed it. A run is undone together. */
  run?: string
}

export type ValuesAround = Record<'before' | 'after', Values | null>

export type Direction = 'undo' | 'redo'

/**
 * What the bar says of the newest steps, newest last. `done` and `undone`: they are of the same run; with `isSaid`, a toast has just named
 * the change. `failed`: one could not be undone or redone. `rejected`: a change was not made, whose item is not on the page; `text` says why.
 */
export type Notice = { steps: [Step, ...Step[]] } & (
  | { about: 'done' | 'undone'; isSaid?: boolean }
  | ({ about: 'failed'; direction: Direction } & Failure)
  | { about: 'rejected'; text: string }
)

/** `isFinal`: it can never be undone or redone. */
type Failure = { reason: string; isFinal: boolean }

type UndoHistory = Record<Direction, Step[]> & {
  notice: Notice | undefined
  /** Adds a step for a change. Steps that were undone before it cannot be redone. `isSaid`: a toast names it. */
  add: (step: Step, isSaid?: boolean) => void
  /** The server has stored a change under this number. A change without effect has none. */
  numbered: (entry: Entry, seq: number | undefined) => void
  /** A step was undone or redone by another, which undoes it in turn. */
  reversed: (direction: Direction, step: Step, reverse: Step) => void
  /** The undo or redo has failed. */
  unreversed: (direction: Direction, step: Step, reverse: Step) => void
  failed: (direction: Direction, step: Step, failure: Failure) => void
  rejected: (title: string, text: string) => void
  dismiss: () => void
}

/** The number of steps that can be undone, and the characters of a title and of the changed values that are kept. */
const [longestHistory, longestTitle, longestValues] = [50, 200, 20_000]

const opposites = { undo: 'redo', redo: 'undo' } as const

const without = (steps: Step[], step: Step) => steps.filter(({ name }) => name !== step.name)

/** The step without one of its changes, which was not made. If that was the only one, there is no step. */
function withoutChange({ values = {}, count = 1, ...step }: Step, { item }: Entry): Step[] {
  const { [item]: _, ...left } = values
  return count === 1 ? [] : [{ ...step, values: left, count: count - 1 }]
}

/** The run of a new step: that of the steps that the bar shows, if the same was done. */
function runOf(notice: Notice | undefined, { verb, name, count }: Step): string {
  const [first] = notice?.about === 'done' ? notice.steps : []
  const isSame = first?.verb === verb && first.count === undefined && count === undefined
  return (isSame && verbs[verb].said.leaves && first.run) || name
}

/** The notice about a step: with those of its run that the bar shows. */
function following(notice: Notice | undefined, about: 'done' | 'undone', step: Step): Notice {
  const isSame = notice?.about === about && step.run !== undefined && notice.steps[0].run === step.run
  const [first, ...others] = isSame ? notice.steps.slice(1 - longestHistory) : []
  return { steps: first ? [first, ...others, step] : [step], about }
}

/** The steps that this tab did and undid, newest last. */
export const createUndoHistory = () =>
  createStore<UndoHistory>()((set) => ({
    undo: [],
    redo: [],
    notice: undefined,
    add(added, isSaid) {
      set(({ undo, notice: before }) => {
        const title = [...added.title].slice(0, longestTitle).join('')
        const step = { ...added, title, run: runOf(before, added) }
        const notice = following(before, 'done', step)
        return {
          undo: [...undo, step].slice(-longestHistory),
          redo: [],
          notice: isSaid && notice.steps.length === 1 ? { ...notice, isSaid } : notice,
        }
      })
    },
    numbered(entry, seq) {
      const isIt = (step: Step) => step.name === nameOf(entry) && step.changes === undefined
      const numbered = (step: Step) => (seq === undefined ? withoutChange(step, entry) : [{ ...step, seq }])
      const number = (steps: Step[]) => steps.flatMap((step) => (isIt(step) ? numbered(step) : [step]))
      set(({ undo, redo, notice }) => {
        if (!undo.some(isIt) && !redo.some(isIt)) return {}
        const [first, ...others] = number(notice?.steps ?? [])
        const still = notice && first && { ...notice, steps: [first, ...others] as Notice['steps'] }
        return { undo: number(undo), redo: number(redo), notice: still }
      })
    },
    reversed(direction, step, reverse) {
      const opposite = opposites[direction]
      set((state) => ({
        [direction]: without(state[direction], step),
        [opposite]: [...state[opposite], reverse],
        notice: following(state.notice, direction === 'undo' ? 'undone' : 'done', step),
      }))
    },
    unreversed(direction, step, reverse) {
      const opposite = opposites[direction]
      set((state) => ({
        [opposite]: without(state[opposite], reverse),
        [direction]: [...without(state[direction], step), step],
      }))
    },
    failed(direction, step, failure) {
      set((state) => ({
        ...(failure.isFinal && { [direction]: without(state[direction], step) }),
        notice: { steps: [step], about: 'failed', direction, ...failure },
      }))
    },
    rejected: (title, text) =>
      set({ notice: { about: 'rejected', steps: [{ name: '', verb: 'edit', title }], text } }),
    dismiss: () => set({ notice: undefined }),
  }))

/** Keeps the history across reloads, for this tab and its user. Returns the function that stops it. */
export function keepUndoHistory(
  history: StoreApi<UndoHistory>,
  { account, tab }: Pick<Needs, 'account' | 'tab'>,
): () => void {
  const key = `undo ${account}`
  const kept = tab.getItem(key)
  if (kept !== null) history.setState(JSON.parse(kept) as Record<Direction, Step[]>)
  return history.subscribe(({ undo, redo }) => {
    try {
      tab.setItem(key, JSON.stringify({ undo: undo.map(shortened), redo: redo.map(shortened) }))
    } catch {
      // Without space, it is kept as long as the page.
      tab.removeItem(key)
    }
  })
}

/** Without long values, undoing a step is shown when the server has answered. */
function shortened({ values, ...step }: Step): Step {
  return values && JSON.stringify(values).length <= longestValues ? { ...step, values } : step
}

export type HistoryStore = StoreApi<UndoHistory>
