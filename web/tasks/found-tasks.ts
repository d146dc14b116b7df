import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { searchedTexts } from '#contract/fields.ts'
import type { Note } from '#contract/notes.ts'
import type { Found } from '#contract/search.ts'
import { compareRanks, type Rank, wordsOf } from '#contract/search-rules.ts'
import { similarTo } from '#contract/similar-words.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import type { Engine } from '../engine/engine.ts'
import { ofKind } from '../engine/entry.ts'
import { createFetched } from '../engine/store/fetched.ts'
import type { Store } from '../engine/store/store.ts'
import { useEngine, useFetched } from '../state/use-engine.tsx'
import { foldedTaskText, foundInStore, hitOf, textsWith } from './found-in-store.ts'

/** `words`: folded. `hasTexts`: the texts of all notes were searched, without the server. */
export type FoundTasks = Found & { words: readonly string[]; hasTexts?: boolean }

/** The hits of the store are shown until the server answers. If it does not, those in the kept texts of notes are added. */
function createSearch(text: string, limit: number, { needs, store, device }: Engine) {
  const words = wordsOf(text)
  const kept = new Map<string, Note>()
  let hasTexts = false
  const heldIn = (most?: number): FoundTasks | undefined => {
    const textOf = (id: string) => store.text(id) ?? kept.get(id)
    const held = foundInStore({ ...store, isComplete: store.isComplete, text: textOf }, words, limit, most)
    return held && { ...held, words, hasTexts }
  }
  const all = () => heldIn(Number.POSITIVE_INFINITY)

  async function search(signal?: AbortSignal): Promise<FoundTasks> {
    /** The items that changed after the request was sent: the answer may be older. */
    const changed = new Set<string>()
    const stop = store.subscribe((ids) => {
      for (const id of ids) changed.add(id)
    })
    try {
      const { data } = await needs.call('GET /search', { query: { q: text, limit }, signal })
      store.put({ tasks: data.tasks, notes: data.notes.map(({ excerpt: _, ...note }) => note) })
      for (const { _id } of data.tasks) changed.add(_id)
      const held = heldIn()
      return held ? { ...addedTo(held, data, store), words } : withChanges({ ...data, words }, changed, store)
    } catch (error) {
      if (!signal?.aborted) {
        found.update((shown) => shown ?? all())
        searchKept().catch(console.warn)
      }
      throw error
    } finally {
      stop()
    }
  }

  async function searchKept() {
    for await (const notes of textsWith(words, { store, device })) {
      if (!found.isOpen()) return
      for (const note of notes) kept.set(note._id, note)
    }
    hasTexts = await (await device.promise).texts.hasAll()
    if (hasTexts || kept.size > 0) found.update((shown) => all() ?? shown)
  }

  const found = createFetched((_, signal) => search(signal), { first: heldIn() })
  return {
    found,
    follow(ids: ReadonlySet<string>) {
      found.update((shown) => {
        if (shown) return withChanges(shown, ids, store)
        return found.getState().failure && all()
      })
    },
  }
}

/** The results of the search before are shown until this one has some. */
export function useFound(text: string, limit: number) {
  const engine = useEngine()
  const { store, needs } = engine
  const search = useMemo(() => createSearch(text, limit, engine), [text, limit, engine])
  const { pages, fetching, failure } = useFetched(search.found)
  const [own] = pages
  const [shown, setShown] = useState(own)
  if (own && own !== shown) setShown(own)
  const follow = useEffectEvent((ids: ReadonlySet<string>) => search.follow(ids))
  const refetch = useEffectEvent(() => search.found.refetch())
  useEffect(() => {
    const left = new AbortController()
    const searchAgain = needs.paced(() => refetch(), left.signal)
    const stop = store.subscribe((ids) => {
      follow(ids)
      // Only the whole text of a note shows whether it contains the words. The first read changes none.
      if (store.isComplete && [...ids].some((id) => store.note(id))) searchAgain()
    })
    return () => {
      stop()
      left.abort()
    }
  }, [store, needs])
  return {
    data: own ?? shown,
    error: failure?.error,
    isFetching: fetching !== undefined,
    isEarlier: own === undefined,
    refetch: search.found.refetch,
  }
}

/** The results from the store, followed by the notes that only the server has found. */
function addedTo(held: Found, { notes, similar, more, complete }: Found, store: Store): Found {
  const excerpts = new Map(notes.map(({ _id, excerpt }) => [_id, excerpt]))
  const isHeld = new Set(held.notes.map(({ _id }) => _id))
  const others = notes.filter(({ _id }) => !isHeld.has(_id) && store.note(_id)?.deletedAt === null)
  return {
    tasks: held.tasks,
    notes: [
      ...held.notes.map((note) => ({ ...note, excerpt: excerpts.get(note._id) ?? note.excerpt })),
      ...others,
    ],
    similar: [...new Set([...held.similar, ...similar])].sort(),
    more: held.more || more,
    complete,
  }
}

const withChanges = (found: FoundTasks, ids: Iterable<string>, store: Store): FoundTasks =>
  [...ids].reduce((shown, id) => {
    const task = store.task(id)
    if (task) return withFound(shown, task)
    return store.note(id) ? shown : withoutFound(shown, id)
  }, found)

/** A task that was found before stays at its place. A new one gets the place of its rank. */
export function withFound(found: FoundTasks, stored: Task): FoundTasks {
  const { tasks, more } = found
  const place = tasks.findIndex(({ _id }) => _id === stored._id)
  if (stored.version < (tasks[place]?.version ?? 0)) return found
  const rank = rankOf(stored, found)
  if (stored.deletedAt !== null || !rank) return withoutFound(found, stored._id)
  if (place >= 0) return { ...found, tasks: tasks.with(place, stored) }
  const next = tasks.findIndex((task) => {
    const other = rankOf(task, found)
    return other && compareRanks(rank, other) < 0
  })
  if (next < 0 && more) return found
  return { ...found, tasks: tasks.toSpliced(next < 0 ? tasks.length : next, 0, stored) }
}

export function withoutFound(found: FoundTasks, id: string): FoundTasks {
  const tasks = found.tasks.filter(({ _id }) => _id !== id)
  const notes = found.notes.filter(({ _id }) => _id !== id)
  return tasks.length === found.tasks.length && notes.length === found.notes.length
    ? found
    : { ...found, tasks, notes }
}

const rankOf = (task: Task, { words, similar }: FoundTasks): Rank | undefined =>
  hitOf(
    { item: ofKind('task', task), folded: foldedTaskText(task), texts: searchedTexts(taskFields, task) },
    words,
    similar.length > 0 ? similarTo(words) : undefined,
  )
