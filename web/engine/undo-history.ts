import { createStore, type StoreApi } from 'zustand/vanilla'
import { type Change, type Entry, nameOf } from './entry.ts'
import type { ValuesByItem } from './items.ts'
import type { Needs } from './needs.ts'
import type { LinkedLine } from './verbs/add-edit.ts'
import { type Verb, verbs } from './verbs/verbs.ts'

/**
 * A change of this tab to a task or note. With `count` it is a group of changes that are undone together, of so many tasks. With
 * `line`, a line of a note became this task, and its link is shown as long as the task is. With `isSaid` a toast names the change,
 * and the bar offers to undo it.
 */
export type Step = {
  /** The name by which it is undone: that of its entries in the journal, or the number of a restored version of a note. */
  name: string
  /** The number of the change, or of one of its group; unknown until the server has stored it. */
  seq?: number
  /** The changes themselves, if they were taken back before they were sent. */
  changes?: Change[]
  item?: string
  /** The changed values by item, so that undoing can be shown at once. */
  before?: ValuesByItem
  after?: ValuesByItem
  count?: number
  /** The name of the first step of a run: the same was done to one item after the other while the bar showed it. A run is undone together. */
  run?: string
  line?: LinkedLine
  isSaid?: boolean
  verb: Verb
  /** The day, priority or tag that the items got. */
  to?: string
  /** The tag that was renamed. */
  from?: string
  /** The title of the item; empty for a group. */
  title: string
}

export type Direction = 'undo' | 'redo'

/**
 * What the bar says of the newest steps, newest last. `done` and `undone`: they are of the same run. `failed`: one
 * could not be undone or redone. `rejected`: a change was not made, whose item is not on the page; `text` says why.
 */
export type Notice = { steps: [Step, ...Step[]] } & (
  | { about: 'done' | 'undone' }
  | ({ about: 'failed'; direction: Direction } & Failure)
  | { about: 'rejected'; text: string }
)

/** `isFinal`: it can never be undone or redone. */
type Failure = { reason: string; isFinal: boolean }

type UndoHistory = Record<Direction, Step[]> & {
  notice: Notice | undefined
  /** Adds a step for a change. Steps that were undone before it cannot be redone. */
  add: (step: Step) => void
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

const without = (steps: Step[], step: Step) => steps.filter(({ name }) => name !== step.name)

/** The step without one of its changes, which was not made. If that was the only one, there is no step. */
function withoutChange({ before, after, count = 1, ...step }: Step, { group, item }: Entry): Step[] {
  if (!group || count === 1) return []
  const [{ [item]: _, ...was }, { [item]: __, ...is }] = [before ?? {}, after ?? {}]
  return [{ ...step, before: was, after: is, count: count - 1 }]
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
  if (!isSame) return { steps: [step], about }
  const [first, ...others] = notice.steps.slice(1 - longestHistory)
  return { steps: first ? [first, ...others, step] : [step], about }
}

/** The steps that this tab did and undid, newest last. */
export const createUndoHistory = () =>
  createStore<UndoHistory>()((set) => ({
    undo: [],
    redo: [],
    notice: undefined,
    add(added) {
      set(({ undo, notice }) => {
        const title = [...added.title].slice(0, longestTitle).join('')
        const step = { ...added, title, run: runOf(notice, added) }
        return {
          undo: [...undo, step].slice(-longestHistory),
          redo: [],
          notice: following(notice, 'done', step),
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
      set(({ undo, redo, notice }) =>
        direction === 'undo'
          ? {
              undo: without(undo, step),
              redo: [...redo, reverse],
              notice: following(notice, 'undone', step),
            }
          : {
              redo: without(redo, step),
              undo: [...undo, reverse],
              notice: following(notice, 'done', step),
            },
      )
    },
    unreversed(direction, step, reverse) {
      const opposite = direction === 'undo' ? 'redo' : 'undo'
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
  const key = `steps ${account}`
  const kept = tab.getItem(key)
  if (kept !== null) {
    const { undo, redo } = JSON.parse(kept) as Record<Direction, Step[]>
    // Those of 0.1.0 have no verb.
    const isKnown = ({ verb }: Step) => verb in verbs
    history.setState({ undo: undo.filter(isKnown), redo: redo.filter(isKnown) })
  }
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
function shortened({ before, after, ...step }: Step): Step {
  const isShort = JSON.stringify([before, after]).length <= longestValues
  return { ...step, ...(isShort && before && after && { before, after }) }
}

/** The name and the number of a change that is no entry of the journal. */
export const numberedBy = (seq: number) => ({ name: `${seq}`, seq })

export type HistoryStore = StoreApi<UndoHistory>
