import { withChecked } from '#contract/check-lines.ts'
import type { Entry } from '../entry.ts'
import { itemsIn } from '../store/answers.ts'
import { changedElsewhere, deletedElsewhere, unknownToServer } from '../store/change-errors.ts'
import type { Store } from '../store/store.ts'
import { showDerived } from './derived-items.ts'
import type { Answered, Entries, Result } from './entries.ts'
import type { Outcomes } from './outcomes.ts'

/** How often a line of a body that is being changed elsewhere is ticked again. */
const attempts = 3

const resultOf = ({ item, answer = [] }: Answered): Result | undefined =>
  answer.find((result) => result.item?._id === item) ?? answer[0]

/** Whether the entry ticks a line that is not there. Such an entry has changed nothing. */
const isWithoutLine = (item: object, entry: Entry) =>
  'check' in entry && 'body' in item && withChecked(String(item.body), entry.check, true) === undefined

/** Returns the function that takes the server's results for entries. */
export function createAnswering(store: Store, entries: Entries, outcomes: Outcomes) {
  let conflicts = 0

  /** Whether an entry is stored. Otherwise it was rejected, or is sent again. */
  function isStored(entry: Answered): boolean {
    const result = resultOf(entry)
    const item = result?.item
    // An earlier answer was lost, and the item was changed or deleted after this change.
    if (result?.outcome === 'duplicate' && result.seq !== item?.version) return true
    const isDeletion = 'undo' in entry || ('set' in entry && entry.set.deleted !== undefined)
    let error: Error | undefined
    if (result && !item) error = unknownToServer()
    else if (result?.outcome === 'conflict') {
      if ('check' in entry && ++conflicts < attempts) return false
      error = changedElsewhere()
    } else if (item && isWithoutLine(item, entry)) {
      error = changedElsewhere()
    } else {
      conflicts = 0
      const isTold = outcomes.hasWaiter(entry.mutation) || ('set' in entry && entry.base !== undefined)
      if (item && item.deletedAt !== null && !isDeletion && isTold) {
        // It was stored all the same, and its undo is sent.
        outcomes.confirm(entry, result?.seq)
        // If it has changed nothing, another device had completed the task before, and the next one is there.
        if (result?.seq === undefined) showDerived(store, entry, result)
        error = deletedElsewhere()
      }
    }
    if (error) outcomes.reject(entry, error)
    return error === undefined
  }

  return (answered: readonly Answered[]) => {
    store.put(itemsIn({ items: answered.flatMap(({ answer = [] }) => answer) }))
    const stored = answered.filter(isStored)
    for (const entry of stored) {
      if (entry.answer) entries.share(entry)
      // Its undo gets its number before it is removed: the tab may end in between.
      outcomes.confirm(entry, resultOf(entry)?.seq)
    }
    // Until the log has them: without the entry, they would be gone.
    for (const entry of stored) showDerived(store, entry, resultOf(entry))
    entries.drop(stored)
    for (const { mutation } of stored) outcomes.settle(mutation)
  }
}
