import { itemsIn } from '../store/answers.ts'
import { failureError } from '../store/change-errors.ts'
import type { Store } from '../store/store.ts'
import { showDerived } from './derived-items.ts'
import type { Answered, Entries } from './entries.ts'
import type { Outcomes } from './outcomes.ts'

/**
 * Takes the entries that other tabs have stored and removed. The removal of an entry can be read before the event with its answer
 * arrives, without which its item would be shown as it was before the change.
 */
export async function reread(store: Store, entries: Entries, outcomes: Outcomes) {
  let { added, removed } = entries.read()
  if (removed.length > 0) {
    await new Promise((arrived) => setTimeout(arrived))
    ;({ added, removed } = entries.read())
  }
  for (const mutation of removed) outcomes.lose(mutation)
  const isOutcome = ({ answer, failure }: Answered) => answer !== undefined || failure !== undefined
  const waiting = added.filter((entry) => !isOutcome(entry))
  // All at once: each time, the page counts them.
  if (waiting.length > 0) entries.take(waiting)
  for (const entry of added.filter(isOutcome)) {
    takeStored(entry, store, entries, outcomes)
    if (entry.answer) entries.drop([entry])
  }
}

/** Takes an entry as another tab has stored it. */
export function takeStored(answered: Answered, store: Store, entries: Entries, outcomes: Outcomes) {
  const { mutation, answer, failure } = answered
  if (answer) {
    // A tab of an earlier build stores one result.
    const results = [answer].flat()
    store.put(itemsIn({ items: results }))
    showDerived(store, answered, results[0])
    entries.forget([mutation])
    outcomes.confirm(answered, results[0]?.seq)
    outcomes.settle(mutation)
  } else if (failure && outcomes.hasWaiter(mutation)) outcomes.reject(answered, failureError(failure))
  else entries.take([answered])
}
