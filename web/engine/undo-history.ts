import { createStore, type StoreApi } from 'zustand/vanilla'
import { type Change, type Done, type Entry, nameOf, type Values, type Verb } from './entry.ts'
import type { Needs } from './needs.ts'
import { verbs } from './verbs/verbs.ts'

/** What the bar says of a change, or of a group of `count` changes, which has no title. */
type Said = Done & { verb: Verb; title: string; item?: string; count?: number }

export type Step = Said & {
  name: string
  /** The number of the change, or of one in its group; unknown until the server has stored it. */
  seq?: number
  /** The changes, if they were taken back before they were sent. */
  changes?: Change[]
  values?: Record<string, ValuesAround>
  /** The name of the first step of a run, which is undone together: one change of item after item, while the bar shows them. */
  run?: string
}

export type ValuesAround = Record<'before' | 'after', Values | null>

export type Direction = 'undo' | 'redo'

/** What the bar shows. `steps`: of one run, newest last. `isSaid`: a toast names the change. `failed`: an undo or redo. */
export type Notice = { steps: [Step, ...Step[]] } & (
  | { about: 'done' | 'undone'; isSaid?: boolean }
  | ({ about: 'failed'; direction: Direction } & Failure)
  | { about: 'rejected'; text: string }
)

/** `isFinal`: the undo or redo can never succeed. */
type Failure = { reason: string; isFinal: boolean }

type UndoHistory = Record<Direction, Step[]> & {
  notice: Notice | undefined
  add: (step: Step, isSaid?: boolean) => void
  /** The server has stored a change under this number, or without a number the change had no effect. */
  numbered: (entry: Entry, seq: number | undefined) => void
  /** A step was undone or redone. `reverse` undoes that in turn. */
  reversed: (direction: Direction, step: Step, reverse: Step) => void
  unreversed: (direction: Direction, step: Step, reverse: Step) => void
  failed: (direction: Direction, step: Step, failure: Failure) => void
  rejected: (title: string, text: string) => void
  dismiss: () => void
}

/** In steps, characters of a title, and characters of the values of a step. */
const [longestHistory, longestTitle, longestValues] = [50, 200, 20_000]

const opposites = { undo: 'redo', redo: 'undo' } as const

const without = (steps: Step[], step: Step) => steps.filter(({ name }) => name !== step.name)

/** The step without a change that was not made. Nothing is left of a single change. */
function withoutChange({ values = {}, count = 1, ...step }: Step, { item }: Entry): Step[] {
  const { [item]: _, ...left } = values
  return count === 1 ? [] : [{ ...step, values: left, count: count - 1 }]
}

/** A step belongs to the run that the bar shows, if it does the same. */
function runOf(notice: Notice | undefined, { verb, name, count }: Step): string {
  const [first] = notice?.about === 'done' ? notice.steps : []
  const isSame = first?.verb === verb && first.count === undefined && count === undefined
  return (isSame && verbs[verb].said.leaves && first.run) || name
}

function following(notice: Notice | undefined, about: 'done' | 'undone', step: Step): Notice {
  const isSame = notice?.about === about && step.run !== undefined && notice.steps[0].run === step.run
  const [first, ...others] = isSame ? notice.steps.slice(1 - longestHistory) : []
  return { steps: first ? [first, ...others, step] : [step], about }
}

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

/** Keeps the history of this tab across reloads. Returns the function that stops it. */
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
      // The storage is full: the history lasts as long as the page.
      tab.removeItem(key)
    }
  })
}

/** Without its values, an undo is shown when the server has answered. */
function shortened({ values, ...step }: Step): Step {
  return values && JSON.stringify(values).length <= longestValues ? { ...step, values } : step
}

export type HistoryStore = StoreApi<UndoHistory>
