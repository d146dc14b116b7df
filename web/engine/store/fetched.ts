import { createStore } from 'zustand/vanilla'
import { createListeners } from '../../api/listeners.ts'

const hasNext = (page: object | undefined) => page !== undefined && 'next' in page && page.next !== undefined

type Which = 'first' | 'next'

type State<Page> = {
  pages: readonly Page[]
  /** The page that is being fetched. Before an opening it is the first one, which the opening fetches. */
  fetching: Which | undefined
  failure: { which: Which; error: Error } | undefined
}

export type Fetched<Page extends object> = ReturnType<typeof createFetched<Page>>

type Options<Page> = {
  first?: Page | undefined
  /** Called after the first page was fetched or has failed. A failed reload is not reported. */
  onAnswer?: (isReload: boolean) => void
}

/** A list by pages, or an item as one page. Contents are in the store. Only an opening fetches, and only the first page. */
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

  /** Fetches the next page, or all shown pages again. Aborts the running call. */
  async function run(which: Which) {
    stop()
    const own = new AbortController()
    running = own
    const pages = which === 'next' ? [...pagesNow()] : []
    const wanted = which === 'next' ? pages.length + 1 : pagesNow().length
    // A failure below shown pages stays until there is an answer.
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

    /** Opens it until the returned function is called, and fetches it unless there was an answer in the last `freshFor` milliseconds. */
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

    prefetch: () => void (running || run('first')),
    fetchNext: () => void run('next'),
    refetch: () => void run('first'),

    /** Fetches the first page without a person's wish. Throws if that fails, and then changes nothing. */
    async reload(signal?: AbortSignal) {
      const page = await fetchPage(undefined, signal)
      answeredAt = performance.now()
      set({ pages: [page], failure: undefined })
      onAnswer(true)
    },

    update(change: (page: Page | undefined) => Page | undefined) {
      const [first] = pagesNow()
      const page = change(first)
      if (page && page !== first) set({ pages: [page] })
    },
  }
}

export type AllFetched = ReturnType<typeof createAllFetched>

export function createAllFetched() {
  const all = new Map<string, Fetched<object>>()
  const { tell, subscribe } = createListeners<[name: string, isReload: boolean]>()
  return {
    of<Page extends object>(
      name: string,
      fetchPage: Parameters<typeof createFetched<Page>>[0],
    ): Fetched<Page> {
      const held = all.get(name) as unknown as Fetched<Page> | undefined
      const fetched = held ?? createFetched(fetchPage, { onAnswer: (isReload) => tell(name, isReload) })
      all.set(name, fetched as unknown as Fetched<object>)
      return fetched
    },
    open(name: string) {
      const fetched = all.get(name)
      return fetched?.isOpen() ? fetched : undefined
    },
    forget: (name: string) => void all.delete(name),
    onAnswer: subscribe,
  }
}
