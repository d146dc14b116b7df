import type { Task } from '#contract/tasks.ts'
import {
  type Change,
  type Entry,
  entryIn,
  type Item,
  type ItemSet,
  isWhole,
  itemsOfEntry,
  type NewChange,
  ofKind,
  shownBy,
  type Way,
} from '../entry.ts'
import { notKept } from '../store/change-errors.ts'
import type { Store } from '../store/store.ts'
import { createEntries, type JournalStorage, type Made, madeOf } from './entries.ts'
import { createOutcomes } from './outcomes.ts'
import { createSender, type Transport } from './sender.ts'

/** The functions of the page that the journal uses. */
export type Needs = Transport & { storage: JournalStorage; newId(): string }

/**
 * A change that was made. `outcome` settles when the server has stored the change, and when the change is kept without a network. It
 * rejects if the change was not stored.
 */
type MadeChange = Made & { outcome: Promise<void> }

/** If another call may have made the change already, it has the `mutation` of that call, and the status `sent`. */
type Options = Partial<Pick<Entry, 'typed' | 'group' | 'mutation' | 'status'>> & {
  /** Nobody waits for the outcome. */
  isKept?: boolean
  /** The version that was edited, if it is no longer shown. */
  over?: Task
}

/** How an entry is sent alone. `over`: the version of its item that was opened, without it the entry adds the item. */
type Alone = { via: Way; over?: Item | Task | DeletedItem; mutation?: string }

type DeletedItem = Pick<Task, '_id' | 'deletedAt'>

export type Journal = ReturnType<typeof createJournal>

/**
 * The changes that were made on this device and that the server has not confirmed, oldest first. The store shows them over
 * the state of the server. Each is stored on the device before it is shown, sent in order, and again until there is an answer.
 */
export function createJournal(store: Store, needs: Needs) {
  const entries = createEntries(store, needs.storage)
  const outcomes = createOutcomes(store, entries)
  const sender = createSender({ store, entries, outcomes }, needs)

  const nextOrder = () => (entries.inOrder().at(-1)?.order ?? 0) + 1

  return {
    /** Stores changes on the device, shows them and sends them. If the device has no space for one of them, none is made. */
    make(changes: readonly Change[], { isKept, over, ...options }: Options = {}): MadeChange[] {
      const at = needs.now()
      const first = nextOrder()
      const made = changes.map((change, index) => {
        const item = over ? ofKind('task', over) : store.current(change.item)
        const isUnsaved = item?.kind === 'note' && !store.stored(item._id)
        const waits = isUnsaved && { needsItem: true }
        const own = { mutation: needs.newId(), order: first + index, at, status: 'new' as const }
        return madeOf({ ...(item && { title: item.title }), ...waits, ...change, ...own, ...options }, item)
      })
      const isStored = entries.add(made.map(({ entry }) => entry))
      const results = made.map((each) => {
        if (!isStored) return { ...each, outcome: Promise.reject(notKept()) }
        return { ...each, outcome: isKept ? Promise.resolve() : outcomes.of(each.entry.mutation) }
      })
      sender.wake()
      return results
    },

    /** Makes an entry that is sent alone. The journal does not keep it. */
    makeAlone(change: NewChange, { via, over, mutation = needs.newId() }: Alone): Made {
      const own = { mutation, via, order: nextOrder(), at: needs.now(), status: 'new' as const }
      return madeOf({ ...change, ...own }, over && ({ kind: 'task', ...over } as Item))
    },

    /** Adds the entries of a saved file after those of the journal. Skips entries that the journal has. Returns how many it added. */
    takeIn(saved: readonly Entry[]): number {
      const first = nextOrder()
      const taken = saved.filter(({ mutation }) => !entries.held(mutation))
      entries.put(taken.map((entry, index) => ({ ...entryIn(entry), order: first + index })))
      sender.wake()
      return taken.length
    },

    /** The entries of this name, a group or one change, as they are on the device. */
    named: entries.named,

    /** Removes entries that were not sent or were rejected. If one of them is an addition, the later entries of its item go too. */
    withdraw(...withdrawn: Entry[]) {
      const isLater = (entry: Entry) =>
        withdrawn.some(
          (own) => own.order < entry.order && makes(own, entry.item) && !store.stored(entry.item),
        )
      const dropped = new Map(
        [...withdrawn, ...entries.inOrder().filter(isLater)].map((entry) => [entry.mutation, entry]),
      )
      entries.drop([...dropped.values()])
      for (const mutation of dropped.keys()) outcomes.settle(mutation)
      // Those of the same items that were made after them are sent.
      sender.wake()
    },

    /** Sends a rejected entry again, perhaps with other values or over another version. */
    retry(entry: Entry, decided: { set?: ItemSet; base?: number } = {}) {
      outcomes.update([entry], ({ failure, ...held }) => ({ ...held, status: 'sent', ...decided }))
      sender.wake()
    },

    /**
     * Sends the changes of this item, or without an item all changes, and waits until the server has answered them. If the server does not
     * answer, it throws: a call that is made now would be applied before them.
     */
    async answered(item?: string) {
      const isLeft = () => sender.left().some((entry) => itemsOfEntry(entry).includes(item ?? entry.item))
      if (!isLeft()) return
      // Not after the wait for the next attempt: the server may be back.
      sender.wake()
      await new Promise<void>((resolve, reject) => {
        const stop = entries.subscribe(() => {
          const failure = sender.failure()
          if (isLeft() && failure === undefined) return
          stop()
          if (isLeft()) reject(failure)
          else resolve()
        })
      })
    },

    entries: entries.inOrder,
    /** The number of changes that the device could not store. */
    unstored: entries.unstored,
    subscribe: entries.subscribe,
    onNumbered: outcomes.onNumbered,

    /** Takes the stored entries of the device, and sends them. Returns the function that stops it. */
    start(): () => void {
      const left = new AbortController()
      const { signal } = left
      needs.storage.follow(
        (entry) => {
          // It may have been changed or removed since.
          const now = entry.answer ? entry : needs.storage.get(entry.mutation)
          if (now) outcomes.takeStored(now)
          sender.wakeLater(signal)
        },
        (mutation) => {
          outcomes.lose(mutation)
          sender.wakeLater(signal)
        },
        signal,
      )
      signal.addEventListener('abort', store.subscribe(sender.wakeIfReady))
      outcomes.reread()
      sender.run(signal)
      return () => left.abort()
    },
  }
}

/** Whether an entry adds this item. */
const makes = (entry: Entry, item: string) =>
  isWhole(shownBy(entry)[item]) || ('set' in entry && !entry.was && entry.item === item)

/** The change that an entry makes, to be made again. What else the entry has is replaced then. */
export const changeOf = ({ typed, group, status, failure, ...change }: Entry): Change => change
