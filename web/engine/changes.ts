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

/** The code of repeats, which the engine loads at its start; before that, the server shows what follows from a change. */
export type Repeats = Partial<typeof import('./verbs/derived-changes.ts')>

/** In milliseconds: how long a card says that its task was deleted elsewhere. */
export const readingTime = 3000

/** In milliseconds. With the gap that closes then, it is the duration of a collapse (specification section 9). */
export const fadeTime = 200

type Options = Parameters<Journal['make']>[1]

/** A change that was not stored and is shown no longer. */
type NotStored = { entry: Entry; error: Error }

/** Why the last change of an item failed. It is said at the item. `mutation`: that of its entry. */
export type AtItem = { text: string; error: Error; mutation: string | undefined }

type Parts = Fetching & { journal: Journal; history: HistoryStore; repeats: Repeats }

/** The one way to change tasks and notes: verbs make changes, which are shown at once, sent, and remembered for Undo. */
export function createChanges({ needs, fetched, store, journal, history: steps, repeats }: Parts) {
  const history = steps.getState()
  let sendAlone: ((made: Made, unpin: () => void) => Promise<void>) | undefined
  /** What Undo waits for. */
  const awaited = new Set<Promise<void>>()
  /** Is another one after each change that is no undo. Presses of Undo that wait then are dropped. */
  let round = 0
  const beginRound = () => void round++
  const failures = createStore<Record<string, AtItem | undefined>>(() => ({}))
  /** The failures that are on the page now, each at its item. */
  const onPage = createStore<readonly AtItem[]>(() => [])
  /** The mutations of rejected changes that were told where they were made. */
  const told = new Set<string>()
  /** The numbers of the changes of the journal. */
  const numbers = new Set<number>()
  journal.onNumbered((_, seq) => seq !== undefined && numbers.add(seq))

  /** Says no longer why the last changes of these items failed. A later change takes the place of those that were told. */
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

  /** Makes changes that are undone together, without a step of Undo. `failed` are those that were not stored, in the end. */
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

  /** Makes changes one step of Undo. `sent`: of an entry that was sent alone, its number and its title. */
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

  /** Sends an entry alone. Its card stays as it is, whatever the log reports, but shows the next change that is made here. */
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
      // After the caller, which may keep the card to say there why the deletion failed.
      setTimeout(unpin)
    }
  }

  /**
   * Makes changes that are undone together. Settles when the server has stored them, or they are kept without a network; returns those
   * that were not stored, which the caller explains.
   */
  async function attempt(changes: readonly NewChange[], options?: Options): Promise<NotStored[]> {
    // A change without effect is no step, so it would stay when those before it are undone.
    const effective = options?.over
      ? changes
      : changes.filter((each) => !isWithoutEffect(store.current(each.item), each))
    if (effective.length > 0) beginRound()
    const made = effective.map((each) => repeats.withDerived?.(store, each) ?? each)
    const { results, failed } = makeTogether(made, options)
    const [first] = results
    // What the device had no space for was not made, and what was undone before can be redone.
    if (first && journal.entries().includes(first.entry)) remember(results)
    const notStored = await failed
    for (const { entry, error } of notStored) {
      console.error(error)
      told.add(entry.mutation)
      history.numbered(entry, undefined)
    }
    return notStored
  }

  /**
   * Removes a task that was deleted elsewhere from the lists, after its card, if it is still there, has said so. If the task comes back,
   * it says so no longer.
   */
  function leave(item: string, error: Error) {
    const unpin = store.pin([item])
    store.remove([item])
    setTimeout(async () => {
      unpin()
      await rendered()
      if (failures.getState()[item]?.error === error) forget([item])
    }, readingTime + fadeTime)
  }

  /**
   * Says at the item that a change has failed, in a sentence, and why. If the item is not on the page, the list of decisions has the
   * entry, or if there is none, the bar says it.
   */
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
    /** Waits for those that are awaited now. */
    settled: () => Promise.allSettled(awaited),
    makeTogether,
    attempt,
    explain,
    forget,
    failures,
    onPage,
    rejectedEntry,

    /** The failure is on the page. Returns the function that says that it is no longer. */
    showing(failure: AtItem): () => void {
      onPage.setState([...onPage.getState(), failure], true)
      return () => onPage.setState(onPage.getState().toSpliced(onPage.getState().indexOf(failure), 1), true)
    },

    /** Makes changes. If one is not stored, its card says why, or the bar: nothing opens then that would take keys. Returns those. */
    async make(changes: readonly NewChange[], options?: Options): Promise<NotStored[]> {
      const groups: Promise<NotStored[]>[] = []
      for (let start = 0; start < changes.length; start += changesPerGroup)
        groups.push(attempt(changes.slice(start, start + changesPerGroup), options))
      const notStored = (await Promise.all(groups)).flat()
      for (const { entry, error } of notStored)
        if (entry.verb) explain({ ...entry, verb: entry.verb }, error, titleOf(store, entry))
      return notStored
    },

    /**
     * Makes a change that is sent alone, by its specified call or another way, over this version of its item. It is shown once the server has
     * confirmed it. Throws why it was not stored, which the caller tells.
     */
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

/** Settles when the components show the last changes of the store: they render them in a microtask. */
export const rendered = () => new Promise<void>((shown) => setTimeout(shown))

export type Changes = ReturnType<typeof createChanges>
