import { createStore } from 'zustand/vanilla'
import { createListeners } from '../../api/listeners.ts'

/** Whether another page comes after this one: `next` says where it begins. */
const hasNext = (page: object | undefined) => page !== undefined && 'next' in page && page.next !== undefined

type Which = 'first' | 'next'

type State<Page> = {
  /** The answered pages, in their order. */
  pages: readonly Page[]
  /** Which page is being fetched. While nothing shows it, the first one: it is fetched as soon as something does. */
  fetching: Which | undefined
  failure: { which: Which; error: Error } | undefined
}

export type Fetched<Page extends object> = ReturnType<typeof createFetched<Page>>

type Options<Page> = {
  first?: Page | undefined
  /** Called after the first page was fetched, or has failed. A reload tells only its success. */
  onAnswer?: (isReload: boolean) => void
}

/**
 * A list by its call, page by page, or an item as a single page. Their contents are in the store. An opening fetches the first
 * page, and nothing is fetched again on its own.
 */
export function createFetched<Page extends object>(
  fetchPage: (after: Page | undefined, signal?: AbortSignal) => Promise<Page>,
  { first, onAnswer = () => {} }: Options<Page> = {},
) {
  const unopened = { fetching: 'first', failure: undefined } as const
  const store = createStore<State<Page>>(() => ({ pages: first ? [first] : [], ...unopened }))
  let openings = 0
  let answeredAt = Number.NEGATIVE_INFINITY
  let running: AbortController | undefined
  const pagesNow = () => store.getState().pages

  function set(change: Partial<State<Page>>) {
    const state = store.getState()
    const next = { ...state, ...change, ...(openings === 0 && unopened) }
    if (Object.entries(next).some(([name, value]) => value !== state[name as keyof State<Page>]))
      store.setState(next)
  }

  function stop() {
    running?.abort()
    running = undefined
  }

  /** Fetches the next page, or again as many pages as there are. Another call that is on its way is aborted. */
  async function run(which: Which) {
    stop()
    const own = new AbortController()
    running = own
    const pages = which === 'next' ? [...pagesNow()] : []
    const wanted = which === 'next' ? pages.length + 1 : pagesNow().length
    // A failure below the pages stays until there is an answer.
    set({ fetching: which, ...(pagesNow().length === 0 && { failure: undefined }) })
    const end = (change: Partial<State<Page>>) => {
      if (running !== own) return
      running = undefined
      set({ fetching: undefined, ...change })
      if (which === 'first') onAnswer(false)
    }
    try {
      do pages.push(await fetchPage(pages.at(-1), own.signal))
      while (pages.length < wanted && hasNext(pages.at(-1)))
    } catch (error) {
      return end({ failure: { which, error: error as Error } })
    }
    if (running === own) answeredAt = performance.now()
    end({ pages, failure: undefined })
  }

  return {
    ...store,
    isOpen: () => openings > 0,

    /**
     * Shows it until the returned function is called, and fetches it if no answer came in the last `freshFor` milliseconds.
     * Leaving it aborts its call and keeps the first page, so that the next opening fetches one page.
     */
    open(freshFor = 0): () => void {
      if (openings++ === 0) {
        if (performance.now() - answeredAt < freshFor) set({ fetching: undefined })
        else if (!running) run('first')
      }
      return () => {
        if (--openings > 0) return
        stop()
        set({ pages: pagesNow().slice(0, 1) })
      }
    },

    /** Fetches it before it is opened. */
    prefetch: () => void (running || run('first')),
    fetchNext: () => void run('next'),
    refetch: () => void run('first'),

    /** Fetches the first page alone, without anybody having asked for it. Throws if that fails, and then changes nothing. */
    async reload(signal?: AbortSignal) {
      const page = await fetchPage(undefined, signal)
      answeredAt = performance.now()
      set({ pages: [page], failure: undefined })
      onAnswer(true)
    },

    /** Replaces the first page by what has become of it. */
    update(change: (page: Page | undefined) => Page | undefined) {
      const [first] = pagesNow()
      const page = change(first)
      if (page && page !== first) set({ pages: [page] })
    },
  }
}

export type AllFetched = ReturnType<typeof createAllFetched>

/** All that was fetched, by name. */
export function createAllFetched() {
  const all = new Map<string, Fetched<object>>()
  const { tell, subscribe } = createListeners<[name: string, isReload: boolean]>()
  return {
    /** The list or item of this name. */
    of<Page extends object>(
      name: string,
      fetchPage: Parameters<typeof createFetched<Page>>[0],
    ): Fetched<Page> {
      const held = all.get(name) as unknown as Fetched<Page> | undefined
      const fetched = held ?? createFetched(fetchPage, { onAnswer: (isReload) => tell(name, isReload) })
      all.set(name, fetched as unknown as Fetched<object>)
      return fetched
    },
    /** The list or item of this name, if it is open. */
    open(name: string) {
      const fetched = all.get(name)
      return fetched?.isOpen() ? fetched : undefined
    },
    forget: (name: string) => void all.delete(name),
    /** Calls the listener after a first page was fetched or has failed. Returns the function that stops it. */
    onAnswer: subscribe,
  }
}
