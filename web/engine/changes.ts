import { createStore } from 'zustand/vanilla'
import { changesPerGroup } from '#contract/limits.ts'
import {
  type Change,
  type Entry,
  isWhole,
  isWithoutEffect,
  itemsOfEntry,
  type NewChange,
  nameOf,
  randomId,
  shownBy,
  titleIn,
  titleOf,
  type Verb,
  type Way,
} from './entry.ts'
import type { Made } from './journal/entries.ts'
import type { Journal } from './journal/journal.ts'
import { createWays } from './journal/ways.ts'
import { isGone } from './store/change-errors.ts'
import type { Fetching } from './store/task-lists.ts'
import type { HistoryStore, Step } from './undo-history.ts'
import { verbs } from './verbs/verbs.ts'

/** The code of repeats, which the engine loads at its start. Until then, only the server derives what follows from a change. */
export type Repeats = Partial<typeof import('./verbs/derived-changes.ts')>

/** Milliseconds during which a card says that its task was deleted elsewhere. */
export const readingTime = 3000

/** Milliseconds. With the gap that closes then, it is the duration of a collapse (specification section 9). */
export const fadeTime = 200

type Options = Parameters<Journal['make']>[1]

type NotStored = { entry: Entry; error: Error }

/** The failure of the last change of an item, which is shown at the item. `mutation`: of the entry. */
export type AtItem = { text: string; error: Error; mutation: string | undefined }

type Parts = Fetching & { journal: Journal; history: HistoryStore; repeats: Repeats }

/** Changes tasks and notes: verbs make changes, which are shown at once, sent, and remembered for Undo. */
export function createChanges({ needs, fetched, store, journal, history: steps, repeats }: Parts) {
  const history = steps.getState()
  let sendAlone: ((made: Made, unpin: () => void) => Promise<void>) | undefined
  const awaited = new Set<Promise<void>>()
  /** Each change that is no undo begins a new round. Presses of Undo that wait then are dropped. */
  let round = 0
  const beginRound = () => void round++
  const failures = createStore<Record<string, AtItem | undefined>>(() => ({}))
  const onPage = createStore<readonly AtItem[]>(() => [])
  /** The mutations of rejected changes whose failure was shown. */
  const told = new Set<string>()
  const numbers = new Set<number>()
  journal.onNumbered((_, seq) => seq !== undefined && numbers.add(seq))

  /** Stops showing the failures of these items. A later change replaces the rejected ones whose failure was shown. */
  function forget(items: readonly string[]) {
    failures.setState(Object.fromEntries(items.map((item) => [item, undefined])))
    if (told.size === 0) return
    const left = new Set(items)
    const failed = journal
      .entries()
      .filter(({ mutation, item, failure }) => failure && told.has(mutation) && left.has(item))
    if (failed.length > 0) journal.withdraw(...failed)
  }

  const rejectedEntry = (mutation: string | undefined) =>
    journal.entries().find((entry) => entry.mutation === mutation && entry.failure)

  function makeTogether(changes: readonly Change[], options?: Options) {
    forget(changes.map(({ item }) => item))
    const group = changes.length > 1 && { group: randomId() }
    const results = journal.make(changes, { ...options, ...group })
    const ends = Promise.allSettled(results.map(({ outcome }) => outcome))
    const failed = ends.then((all) =>
      results.flatMap(({ entry }, index): NotStored[] => {
        const end = all[index]
        return end?.status === 'rejected' ? [{ entry, error: end.reason }] : []
      }),
    )
    return { results, failed }
  }

  /** Makes changes one step of Undo. `sent`: the number and the title of an entry that was sent alone. */
  function remember(results: readonly Made[], sent?: Partial<Step>, isSaid?: boolean) {
    const [first] = results
    if (!first?.entry.verb) return
    const { verb, to, from, line, item, title = titleIn(first.entry) } = first.entry
    const added = results.flatMap(({ entry }) =>
      Object.entries(shownBy(entry)).filter(([, is]) => isWhole(is)),
    )
    // Skipped tasks go each to its own day, which the bar does not say then.
    const isToOne = results.every(({ entry }) => entry.to === to)
    history.add(
      {
        name: nameOf(first.entry),
        verb,
        to: isToOne ? to : undefined,
        from,
        line,
        ...(results.length > 1 ? { count: results.length, title: '' } : { item, title }),
        values: Object.fromEntries([
          ...added.map(([id, after]) => [id, { before: null, after }]),
          ...results.map(({ entry, before, after }) => [entry.item, { before, after }]),
        ]),
        ...sent,
      },
      isSaid,
    )
  }

  /** Sends an entry alone. Its card ignores the log meanwhile, but shows the next change that is made here. */
  async function send(made: Made) {
    const { item } = made.entry
    const unpin = store.pin([item])
    const earlier = new Set(journal.entries().map(({ mutation }) => mutation))
    const isLater = (entry: Entry) => !earlier.has(entry.mutation) && itemsOfEntry(entry).includes(item)
    const stop = journal.subscribe(() => journal.entries().some(isLater) && unpin())
    try {
      sendAlone ??= createWays({ needs, fetched, store }).awaited({
        journal,
        history: steps,
        numbers,
        remember,
      })
      await sendAlone(made, unpin)
    } finally {
      stop()
      // After the caller, which may pin the card to show the failure there.
      setTimeout(unpin)
    }
  }

  /** Makes changes that are undone together. Returns those that were neither stored nor kept offline, for the caller to explain. */
  async function attempt(changes: readonly NewChange[], options?: Options): Promise<NotStored[]> {
    // A change without effect is no step of Undo, so it would stay when the changes before it are undone.
    const effective = options?.over
      ? changes
      : changes.filter((each) => !isWithoutEffect(store.current(each.item), each))
    if (effective.length > 0) beginRound()
    const made = effective.map((each) => repeats.withDerived?.(store, each) ?? each)
    const { results, failed } = makeTogether(made, options)
    const [first] = results
    // If the device had no space, nothing was made, and undone changes can still be redone.
    if (first && journal.entries().includes(first.entry)) remember(results)
    const notStored = await failed
    for (const { entry, error } of notStored) {
      console.error(error)
      told.add(entry.mutation)
      history.numbered(entry, undefined)
    }
    return notStored
  }

  /** Removes a task that was deleted elsewhere from the lists, after its card has said so. If the task comes back, the failure goes. */
  function leave(item: string, error: Error) {
    const unpin = store.pin([item])
    store.remove([item])
    setTimeout(async () => {
      unpin()
      await rendered()
      if (failures.getState()[item]?.error === error) forget([item])
    }, readingTime + fadeTime)
  }

  /** Shows at the item why a change failed. Without a shown item, the list of decisions or the bar says it. */
  async function explain(
    { item, mutation, verb }: { item: string; mutation?: string; verb: Verb },
    error: Error,
    title = store.current(item)?.title || 'Untitled',
  ) {
    const text = isGone(error)
      ? 'This task was deleted elsewhere.'
      : `${verbs[verb].said.failed} ${error.message}`
    const failure = { text, error, mutation }
    failures.setState({ [item]: failure })
    if (isGone(error)) leave(item, error)
    if (rejectedEntry(mutation)) return
    await rendered()
    if (onPage.getState().includes(failure)) return
    history.rejected(title, text)
  }

  return {
    round: () => round,
    beginRound,
    isAwaited: () => awaited.size > 0,
    settled: () => Promise.allSettled(awaited),
    makeTogether,
    attempt,
    explain,
    forget,
    failures,
    onPage,
    rejectedEntry,

    showing(failure: AtItem): () => void {
      onPage.setState([...onPage.getState(), failure], true)
      return () => onPage.setState(onPage.getState().toSpliced(onPage.getState().indexOf(failure), 1), true)
    },

    /** Makes changes and explains those that were not stored, without opening anything that would take keys. Returns these. */
    async make(changes: readonly NewChange[], options?: Options): Promise<NotStored[]> {
      const groups: Promise<NotStored[]>[] = []
      for (let start = 0; start < changes.length; start += changesPerGroup)
        groups.push(attempt(changes.slice(start, start + changesPerGroup), options))
      const notStored = (await Promise.all(groups)).flat()
      for (const { entry, error } of notStored)
        if (entry.verb) explain({ ...entry, verb: entry.verb }, error, titleOf(store, entry))
      return notStored
    },

    /** Sends a change alone and shows it when the server has confirmed it. Throws why it was not stored. */
    makeAwaited(
      change: NewChange,
      { via = change.verb as Way, ...options }: Partial<Parameters<Journal['makeAlone']>[1]>,
    ): Promise<void> {
      forget([change.item])
      beginRound()
      const sent = send(journal.makeAlone(change, { via, ...options }))
      awaited.add(sent)
      const end = () => awaited.delete(sent)
      sent.then(end, end)
      return sent
    },
  }
}

/** Settles when the components show the last changes of the store: React renders them in a microtask. */
export const rendered = () => new Promise<void>((shown) => setTimeout(shown))

export type Changes = ReturnType<typeof createChanges>
