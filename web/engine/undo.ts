import { problemFrom } from '../api/client.ts'
import { createListeners } from '../api/listeners.ts'
import type { Changes } from './changes.ts'
import { hasValues, nameOf, type Values } from './entry.ts'
import { changeOf, type Journal } from './journal/journal.ts'
import { notUndoable } from './store/change-errors.ts'
import type { Store } from './store/store.ts'
import type { Direction, HistoryStore, Step, ValuesAround } from './undo-history.ts'

/** An unconfirmed undo or redo. Two of the same `round` have no other change between them. */
type Reversal = { direction: Direction; step: Step; reverse: Step; round: number }

type Parts = { store: Store; journal: Journal; history: HistoryStore; changes: Changes }

/** Undo and redo are shown at once. A press waits for awaited calls, and is dropped if another change is made meanwhile. */
export function createUndo({ store, journal, history: { getState: history }, changes }: Parts) {
  let last: Promise<void> | undefined
  const moved = createListeners<[step: Step]>()
  const pending = new Set<Reversal>()

  function press(direction: Direction, count: () => number, isWanted?: (step: Step) => boolean) {
    const [before, round] = [last, changes.round()]
    async function reverse() {
      if (before || changes.isAwaited()) {
        await before
        await changes.settled()
      }
      // A press must not undo a change that was made after it.
      if (round !== changes.round()) return
      for (let left = count(); left > 0; left--) reverseNewest(direction, isWanted)
    }
    const pressed = reverse().finally(() => {
      if (last === pressed) last = undefined
    })
    last = pressed
    return pressed
  }

  function countRun(direction: Direction): number {
    const steps = history()[direction]
    const run = steps.at(-1)?.run
    const before = steps.findLastIndex((step) => run === undefined || step.run !== run)
    return Math.max(1, steps.length - 1 - before)
  }

  function reverseNewest(direction: Direction, isWanted: (step: Step) => boolean = () => true) {
    const step = history()[direction].findLast(isWanted)
    if (!step) return
    if (isLost(step)) return report({ direction, step }, notUndoable())
    const { reverse, outcome } = reverseStep(step)
    history().reversed(direction, step, reverse)
    moved.tell(step)
    if (!outcome) return
    const reversal = { direction, step, reverse, round: changes.round() }
    pending.add(reversal)
    outcome.then(
      () => pending.delete(reversal),
      (error) => takeBack(reversal, error),
    )
  }

  /** Takes changes back: removes them from the device if none was sent, or makes another change that undoes them. */
  function reverseStep(step: Step): { reverse: Step; outcome?: Promise<void> } {
    const { seq: _, name, changes: taken, values = {}, ...same } = step
    const { count, item = Object.keys(values)[0] ?? '' } = same
    const all = Object.entries(values)
    const swapped = all.map(([id, { before, after }]) => [id, { before: after, after: before }])
    const reversed = { ...same, ...(step.values && { values: Object.fromEntries(swapped) }) }
    const entries = taken ? [] : journal.named(name)
    const undoing = entries.find((entry) => 'undo' in entry)?.undo
    const isMade = ({ before, after }: ValuesAround) => before === null && after !== null
    const isWhole =
      undoing !== undefined ||
      (entries.length === (count ?? 1) && !all.some(([id, each]) => isMade(each) && isChangedHere(id)))
    if (isWhole && entries.every(({ status }) => status !== 'sent')) {
      journal.withdraw(...entries)
      // Removing the undoing entry shows the undone change again.
      const again = {
        name: undoing?.of ?? name,
        ...(undoing ? numberOf(undoing) : { changes: entries.map(changeOf) }),
      }
      return { reverse: { ...reversed, ...again } }
    }
    const isAsMade = (id: string, made: Values | null) => {
      const now = store.current(id)
      return now && hasValues(now, { ...made, version: now.version, createdAt: now.createdAt })
    }
    // The server keeps later changes.
    const shown = all.filter(([id, each]) => !isMade(each) || isAsMade(id, each.after))
    const shows = Object.fromEntries(shown.map(([id, { before }]) => [id, before]))
    const undo = { ...numberOf(step), of: name, ...(count && { isGroup: true }) }
    const undone = changes.makeTogether(taken ?? [{ item, undo, shows }])
    const outcome = undone.failed.then((failures) => {
      const [first] = failures
      if (first && failures.length === undone.results.length) throw first.error
      for (const { entry } of failures) history().numbered(entry, undefined)
    })
    const [made] = undone.results
    return { reverse: { ...reversed, name: made ? nameOf(made.entry) : '' }, outcome }
  }

  /** Whether the number of the change will never be known: another tab has sent the change while this page was closed. */
  const isLost = ({ seq, name, changes: taken }: Step) =>
    seq === undefined && !taken && !journal.entries().some((entry) => nameOf(entry) === name)

  const isChangedHere = (id: string) => journal.entries().some((entry) => entry.item === id)

  /** The server rejected an undo or redo. Unsent ones of the same presses are taken back too, but no later presses. */
  function takeBack(failed: Reversal, error: unknown) {
    const { direction, round } = failed
    const all = [...pending]
    const later = all.slice(all.indexOf(failed))
    const same = later.filter((each) => each.direction === direction && each.round === round)
    for (const reversal of same.toReversed()) {
      const { step, reverse } = reversal
      const entries = journal.named(reverse.name)
      if (reversal !== failed && entries.some(({ status }) => status === 'sent')) continue
      pending.delete(reversal)
      journal.withdraw(...entries)
      history().unreversed(direction, step, reverse)
      moved.tell(step)
    }
    report(failed, error)
  }

  function report({ direction, step }: Pick<Reversal, 'direction' | 'step'>, error: unknown) {
    const { status = 0, code } = problemFrom(error) ?? {}
    // 404: the change is older than the log. 409: the task was changed again. A full account can make room and try again.
    const isFinal = [404, 409].includes(status) && code !== 'over-quota' && code !== 'too-many-items'
    history().failed(direction, step, { reason: (error as Error).message, isFinal })
  }

  return {
    reverse: (direction: Direction, isWanted?: (step: Step) => boolean) =>
      press(direction, () => 1, isWanted),
    // Counted when the awaited changes have ended: they may belong to the run.
    reverseRun: (direction: Direction) => press(direction, () => countRun(direction)),
    /** Calls the listener after a step was undone or redone, and after that was taken back. */
    onMoved: moved.subscribe,
    drop: changes.beginRound,
  }
}

const numberOf = ({ seq }: { seq?: number }) => (seq === undefined ? {} : { seq })
