import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { problemFrom } from '../api/client.ts'
import { perCache } from '../sync/per-cache.ts'
import { changesOf } from './changes.ts'
import { changeOf } from './journal.ts'
import { journalOf } from './page-journal.ts'
import { specifiedCallsOf } from './specified-calls.ts'
import { type Direction, numberedBy, type Step, undoHistoryOf } from './undo-history.ts'

/** An undo or redo that was made here and that the server has not confirmed. */
type Reversal = { direction: Direction; step: Step; reverse: Step }

/** The last waiting press, a number that changes when the waiting presses are dropped, and the unconfirmed changes. */
const pressesOf = perCache(() => ({
  last: undefined as Promise<void> | undefined,
  round: 0,
  pending: [] as Reversal[],
}))

export const useUndo = () => undoOf(useQueryClient())

/**
 * Returns the functions that undo, or redo an undone change: `reverse` the newest change of this tab, or of those that are
 * wanted, and `reverseShown` everything that the bar reports. The result is shown at once, except while a call is awaited that
 * changes a task: a press waits for that, and is dropped if another change is made meanwhile.
 */
export function undoOf(queryClient: QueryClient) {
  function press(
    direction: Direction,
    count: () => number,
    isWanted?: (step: Step) => boolean,
  ): Promise<void> {
    const presses = pressesOf(queryClient)
    const { last, round } = presses
    const calls = specifiedCallsOf(queryClient)
    const made = calls.count()
    async function reverse() {
      if (last || calls.isAwaited()) {
        await last
        // A change that is being sent is newer than all confirmed ones.
        await calls.settled()
      }
      // A press must not undo a change that was made after it.
      const isWaiting = () => presses.round === round && calls.count() === made
      for (let left = count(); left > 0 && isWaiting(); left--) {
        const reversal = reverseNewest(queryClient, direction, isWanted)
        if (reversal && !(await reversal)) presses.round++
      }
    }
    const pressed = reverse().finally(() => {
      if (presses.last === pressed) presses.last = undefined
    })
    presses.last = pressed
    return pressed
  }

  const countShown = () => undoHistoryOf(queryClient).getState().notice?.steps.length

  return {
    reverse: (direction: Direction, isWanted?: (step: Step) => boolean) =>
      press(direction, () => 1, isWanted),
    reverseShown(direction: Direction) {
      const shown = countShown() ?? 1
      // More may be shown when the changes that are being sent have ended, or the bar has gone.
      return press(direction, () => countShown() ?? shown)
    },
  }
}

/** Drops the presses that wait: the reader has left the dashboard, perhaps for another account. */
export const dropPresses = (queryClient: QueryClient) => void pressesOf(queryClient).round++

/** Undoes or redoes the newest change. If that takes several calls, returns a promise of whether it succeeded. */
function reverseNewest(
  queryClient: QueryClient,
  direction: Direction,
  isWanted: (step: Step) => boolean = () => true,
): Promise<boolean> | undefined {
  const history = undoHistoryOf(queryClient).getState()
  const step = history[direction].findLast(isWanted)
  if (!step) return
  if (step.line) return reverseLine(queryClient, direction, step)
  const { reverse, outcome } = reverseStep(queryClient, step)
  history.reversed(direction, step, reverse)
  if (!outcome) return
  const { pending } = pressesOf(queryClient)
  const reversal = { direction, step, reverse }
  pending.push(reversal)
  outcome.then(
    () => pending.splice(pending.indexOf(reversal), 1),
    (error) => takeBack(queryClient, reversal, error),
  )
}

/** The change that an undo takes back. */
const stepOf = ({ seq, of: name = `${seq}` }: { seq?: number; of?: string }): Pick<Step, 'seq' | 'name'> => ({
  name,
  ...(seq !== undefined && { seq }),
})

/** Takes changes back: on the device if none was sent, else by another change, which is made and sent like any other. */
function reverseStep(queryClient: QueryClient, step: Step): { reverse: Step; outcome?: Promise<void> } {
  const journal = journalOf(queryClient)
  const { seq, name, changes, before: after, after: before, ...same } = step
  const { count, item = Object.keys(after ?? {})[0] ?? '' } = same
  const values = { ...(before && { before }), ...(after && { after }) }
  const entries = changes ? [] : journal.named(name)
  const undoing = entries.find((entry) => 'undo' in entry)?.undo
  const isWhole = undoing !== undefined || entries.length === (count ?? 1)
  if (isWhole && entries.every(({ isSent }) => !isSent)) {
    journal.withdraw(...entries)
    // When the undoing entry is removed, the undone change is shown again.
    const again = undoing ? stepOf(undoing) : { name, changes: entries.map(changeOf) }
    return { reverse: { ...same, ...values, ...again } }
  }
  const undo = {
    ...(seq !== undefined && { seq }),
    of: name,
    ...(count && { isGroup: true }),
  }
  const undone = changesOf(queryClient).makeTogether(changes ?? [{ item, undo, shows: after ?? {} }])
  const outcome = undone.failed.then((failures) => {
    const [first] = failures
    if (first && failures.length === undone.results.length) throw first.error
    for (const { entry } of failures) undoHistoryOf(queryClient).getState().numbered(entry, undefined)
  })
  return { reverse: { ...same, ...values, name: undone.name }, outcome }
}

/** The server did not undo or redo a step. Those after it that were not sent are taken back too. */
function takeBack(queryClient: QueryClient, failed: Reversal, error: unknown) {
  const { pending } = pressesOf(queryClient)
  const [journal, history] = [journalOf(queryClient), undoHistoryOf(queryClient).getState()]
  for (const reversal of pending.splice(pending.indexOf(failed)).toReversed()) {
    const { direction, step, reverse } = reversal
    const entries = journal.named(reverse.name)
    if (reversal !== failed && entries.some(({ isSent }) => isSent)) continue
    journal.withdraw(...entries)
    history.unreversed(direction, step, reverse)
  }
  report(queryClient, failed, error)
}

function report(
  queryClient: QueryClient,
  { direction, step }: Pick<Reversal, 'direction' | 'step'>,
  error: unknown,
) {
  const { status = 0, code } = problemFrom(error) ?? {}
  // Not found: the change is older than the log. Conflict: the task was changed again. Whoever is out of space can make room first.
  const isFinal = [404, 409].includes(status) && code !== 'over-quota' && code !== 'too-many-items'
  undoHistoryOf(queryClient)
    .getState()
    .failed(direction, step, { reason: (error as Error).message, isFinal })
}

async function reverseLine(queryClient: QueryClient, direction: Direction, step: Step): Promise<boolean> {
  const { line } = step
  if (!line) return true
  try {
    // A separate chunk, because it is rarely needed.
    const { changeLinkedLine } = await import('./linked-line.ts')
    const isLinked = direction === 'redo'
    const seq = await changeLinkedLine(queryClient, line, { isLinked, set: { deleted: !isLinked } })
    undoHistoryOf(queryClient)
      .getState()
      .reversed(direction, step, { ...step, ...numberedBy(seq) })
    return true
  } catch (error) {
    report(queryClient, { direction, step }, error)
    return false
  }
}
