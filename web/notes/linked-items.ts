import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { summaryOf } from '#contract/note-summary.ts'
import type { Note, NotePage } from '#contract/notes.ts'
import type { Task, TaskPage } from '#contract/tasks.ts'
import { call } from '../api/client.ts'
import { deltasOf } from '../sync/deltas.ts'
import type { ItemAddress } from './markdown/note-address.ts'
import { allNoteLists, noteKey } from './note-queries.ts'
import { shownTitle } from './plain-text.ts'

/** What is shown of a linked note or task. */
export type LinkedItem = { title: string; isDone: boolean }

/** A note with more links than this shows the rest as they are written. */
const mostLinks = 200
const mostAtOnce = 4

/** The current titles of the notes and tasks that a note links to. */
export function createLinkedItems(queryClient: QueryClient) {
  const known = new Map<string, LinkedItem | undefined>()
  const waiting: ItemAddress[] = []
  const listeners = new Set<() => void>()
  let running = 0

  function load() {
    const next = running < mostAtOnce ? waiting.shift() : undefined
    if (!next) return
    running++
    fetchItem(queryClient, next)
      .then((item) => {
        known.set(keyOf(next), item)
        for (const listener of listeners) listener()
      }, console.error)
      .finally(() => {
        running--
        load()
      })
    load()
  }

  const follow = () =>
    deltasOf(queryClient).subscribe(({ tasks = [], notes = [], written = [] }) => {
      for (const { _id: id } of [...tasks, ...notes, ...written])
        for (const kind of ['task', 'note'] as const)
          if (known.delete(keyOf({ kind, id }))) waiting.push({ kind, id })
      load()
    })

  return {
    /** The item, if it is known and not deleted. If it is not known, it is loaded, and the listeners are told. */
    get(address: ItemAddress): LinkedItem | undefined {
      const key = keyOf(address)
      if (!known.has(key) && known.size < mostLinks) {
        known.set(key, undefined)
        waiting.push(address)
        load()
      }
      return known.get(key)
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Loads titles again when they change, until the returned function is called. */
    follow,
  }
}

export type LinkedItems = ReturnType<typeof createLinkedItems>

/** What shows linked items needs of them. */
export type LinkedTitles = Pick<LinkedItems, 'get' | 'subscribe'>

const keyOf = ({ kind, id }: ItemAddress) => `${kind}:${id}`

async function fetchItem(
  queryClient: QueryClient,
  { kind, id }: ItemAddress,
): Promise<LinkedItem | undefined> {
  if (kind === 'task') {
    const task = heldTask(queryClient, id) ?? (await call('GET /tasks/:id', { params: { id } })).data.task
    return task.deletedAt === null ? { title: task.title, isDone: task.doneAt !== null } : undefined
  }
  const title = heldTitle(queryClient, id)
  if (title !== undefined) return { title: shownTitle(title), isDone: false }
  const { note } = (await call('GET /notes/:id', { params: { id } })).data
  return note.deletedAt === null
    ? { title: shownTitle(summaryOf(note.text).title), isDone: false }
    : undefined
}

const heldTask = (queryClient: QueryClient, id: string): Task | undefined =>
  queryClient
    .getQueriesData<InfiniteData<TaskPage>>({ queryKey: ['tasks'] })
    .flatMap(([, held]) => held?.pages.flatMap((page) => page.lists) ?? [])
    .find((task) => task._id === id)

function heldTitle(queryClient: QueryClient, id: string): string | undefined {
  const note = queryClient.getQueryData<Note>(noteKey(id))
  if (note && note.deletedAt === null) return summaryOf(note.text).title
  return queryClient
    .getQueriesData<InfiniteData<NotePage>>(allNoteLists)
    .flatMap(([, held]) => held?.pages.flatMap((page) => page.notes) ?? [])
    .find(({ _id, deletedAt }) => _id === id && deletedAt === null)?.title
}
