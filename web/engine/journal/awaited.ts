import { labelledValues } from '#contract/fields.ts'
import type { Note } from '#contract/notes.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import { problemFrom } from '../../api/client.ts'
import { hasValues, isWithoutEffect, type Way } from '../entry.ts'
import { isGone, notAnswered } from '../store/change-errors.ts'
import type { Answer } from '../store/known-items.ts'
import type { Store } from '../store/store.ts'
import { isUnanswered } from '../sync/retry-delay.ts'
import type { HistoryStore, Step } from '../undo-history.ts'
import type { Made } from './entries.ts'

/** Milliseconds that an awaited entry waits for the earlier entries of its item. */
const longestWait = 20_000

/** Sends an entry, and returns the items of the answer. `isOwn`: whether this page has made a newer version of the item. */
export type SendAlone = (made: Made, isOwn: (newer: Task) => boolean) => Promise<Answer>

type Parts = {
  alone: Record<Way, SendAlone>
  store: Store
  journal: { answered(item?: string): Promise<void> }
  history: HistoryStore
  numbers: Set<number>
  /** Makes an entry a step of Undo. `sent`: its number and title. */
  remember(results: readonly Made[], sent: Partial<Step>, isSaid: boolean): void
}

/** Whether this version of the item has the values of the entry. Derived values do not count. */
function isMade({ entry, over, changed }: Made, item: { version: number }): boolean {
  const { doneAt, deletedAt } = changed as Task
  // Another device may have changed the other values before the deletion.
  const values =
    entry.verb === 'delete'
      ? { deletedAt }
      : { ...labelledValues(taskFields, { ...changed }), doneAt, deletedAt }
  return item.version > (over?.version ?? 0) && hasValues(item, values)
}

/** Returns the function that sends an entry by its way. After a call without an answer, the log may show that it is stored. */
export function createAwaited({ alone, store, journal, history, numbers, remember }: Parts) {
  /** Entries whose calls got no answer. With the status `sent` they are stored under an unknown number. */
  let unknown: readonly Made[] = []
  const end = (ended: readonly Made[]) => {
    unknown = unknown.filter((made) => !ended.includes(made))
  }
  const likeIt = ({ entry: { verb, item } }: Made) =>
    unknown.filter(({ entry }) => entry.verb === verb && entry.item === item)

  store.subscribe((ids) => {
    for (const made of unknown) if (ids.has(made.entry.item)) look(made)
  })
  store.onReplaced(() => end(unknown))

  const stepAt = (seq: number) => {
    const { undo, redo } = history.getState()
    return [...undo, ...redo].find((step) => step.seq === seq)
  }

  /** The number of the entry is the version of the item after it. */
  function rememberSent(made: Made, { version: seq, ...stored }: Task | Note) {
    const { entry, over } = made
    // A repeated call gets the answer of the first one, which was lost. The change may also be a kept one, which has a step.
    const isKnown = numbers.has(seq) || stepAt(seq) !== undefined
    if (isKnown || seq <= (over?.version ?? 0) || isWithoutEffect(over, entry)) return
    numbers.add(seq)
    const title = 'title' in stored && { title: stored.title }
    const rememberIt = () => remember([made], { seq, ...title }, entry.via !== 'add')
    // After the caller's alert, which stops the page: otherwise the bar would be gone when the alert is closed.
    if (entry.via === 'add') setTimeout(rememberIt)
    else rememberIt()
  }

  function look(made: Made) {
    const { item: id, status } = made.entry
    const item = store.stored(id)
    if (item?.kind !== 'task') return
    const isThere = isMade(made, item)
    if (isThere || status === 'sent') end([made])
    // An unsent change of the task may be the same change, with its own step.
    if (isThere)
      journal
        .answered(id)
        .then(() => rememberSent(made, item))
        .catch(console.error)
  }

  return async (made: Made, unpin: () => void): Promise<void> => {
    const { entry } = made
    const { item, via } = entry
    if (!via) throw new Error('The journal sends it.')
    const tooLate = new Promise<never>((_, reject) =>
      setTimeout(() => {
        unpin()
        reject(notAnswered())
      }, longestWait),
    )
    try {
      await Promise.race([journal.answered(via === 'purgeEarlier' ? undefined : item), tooLate])
      entry.status = 'sent'
      const isOwn = (newer: Task) =>
        stepAt(newer.version)?.verb === 'edit' || likeIt(made).some((lost) => isMade(lost, newer))
      const answer = await alone[via](made, isOwn).catch((error) => {
        const lost = likeIt(made)
        if (via !== 'delete' || !isGone(error) || !lost.some((each) => each.entry.status === 'unknown'))
          throw error
        // The call without an answer has deleted the item. The next version in the log is that of the deletion, or a later one.
        for (const each of lost) each.entry.status = 'sent'
        store.remove([item])
        return {} as Answer
      })
      const [stored] = [...(answer.tasks ?? []), ...(answer.texts ?? [])]
      const lost = stored ? likeIt(made) : []
      end(lost)
      // The answer may belong to an earlier call.
      if (stored && (lost.length === 0 || isMade(made, stored))) rememberSent(made, stored)
      store.put(answer)
      unpin()
    } catch (error) {
      console.error(error)
      const isUnknown = entry.status === 'sent' && isUnanswered(problemFrom(error)?.status ?? 200)
      if (isUnknown && via === entry.verb) {
        entry.status = 'unknown'
        unknown = [...unknown, made]
        look(made)
      }
      if (via === 'edit' && isGone(error)) store.remove([item])
      throw error
    }
  }
}
