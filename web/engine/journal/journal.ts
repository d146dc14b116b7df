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

export type Needs = Transport & { storage: JournalStorage; newId(): string }

/** `outcome` resolves when the server has the change, or the change is kept without a network. It rejects if the change was not stored. */
type MadeChange = Made & { outcome: Promise<void> }

/** If another call may have made the change already: `mutation` of that call, and `status` sent. */
type Options = Partial<Pick<Entry, 'typed' | 'group' | 'mutation' | 'status'>> & {
  isKept?: boolean
  over?: Task
}

/** `over`: the opened version of the item; undefined if the entry adds the item. */
type Alone = { via: Way; over?: Item | Task | DeletedItem; mutation?: string }

type DeletedItem = Pick<Task, '_id' | 'deletedAt'>

export type Journal = ReturnType<typeof createJournal>

/** The unconfirmed changes. Each is stored on the device before it is shown, sent in order, and again until there is an answer. */
export function createJournal(store: Store, needs: Needs) {
  const entries = createEntries(store, needs.storage)
  const outcomes = createOutcomes(store, entries)
  const sender = createSender({ store, entries, outcomes }, needs)

  const nextOrder = () => (entries.inOrder().at(-1)?.order ?? 0) + 1

  return {
    /** Stores, shows and sends changes. If the device has no space for one of them, none is made. */
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

    makeAlone(change: NewChange, { via, over, mutation = needs.newId() }: Alone): Made {
      const own = { mutation, via, order: nextOrder(), at: needs.now(), status: 'new' as const }
      return madeOf({ ...change, ...own }, over && ({ kind: 'task', ...over } as Item))
    },

    takeIn(saved: readonly Entry[]): number {
      const first = nextOrder()
      const taken = saved.filter(({ mutation }) => !entries.held(mutation))
      entries.put(taken.map((entry, index) => ({ ...entryIn(entry), order: first + index })))
      sender.wake()
      return taken.length
    },

    named: entries.named,

    /** Removes unsent or rejected entries. If an addition is removed, the later entries of its item go too. */
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
      sender.wake()
    },

    retry(entry: Entry, decided: { set?: ItemSet; base?: number } = {}) {
      outcomes.update([entry], ({ failure, ...held }) => ({ ...held, status: 'sent', ...decided }))
      sender.wake()
    },

    /** Waits for the answers to the changes of an item, or of all items. Throws without them: the next call would overtake them. */
    async answered(item?: string) {
      const isLeft = () => sender.left().some((entry) => itemsOfEntry(entry).includes(item ?? entry.item))
      if (!isLeft()) return
      // At once, because the server may be back.
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
    unstored: entries.unstored,
    subscribe: entries.subscribe,
    onNumbered: outcomes.onNumbered,

    /** Takes the entries of the device and sends them. Returns the function that stops it. */
    start(): () => void {
      const left = new AbortController()
      const { signal } = left
      needs.storage.follow(
        (entry) => {
          // The entry may have changed since the event.
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

const makes = (entry: Entry, item: string) =>
  isWhole(shownBy(entry)[item]) || ('set' in entry && !entry.was && entry.item === item)

/** The change of an entry, to be made again with a new mutation, order and time. */
export const changeOf = ({ typed, group, status, failure, ...change }: Entry): Change => change
