import type { Delta } from '#contract/changes.ts'
import type { Note } from '#contract/notes.ts'
import { perCache } from './per-cache.ts'

/** Changes of others, a reason to load everything again, or notes as an answer to a change of this page returned them. */
export type News = Delta & { written?: Note[] }

type Listener = (news: News) => void

/** What parts of the page that are loaded later, such as the notes, listen to. */
export const deltasOf = perCache(createChannel)

function createChannel() {
  const listeners = new Set<Listener>()
  return {
    publish: (news: News) => listeners.forEach((listener) => void listener(news)),
    subscribe(listener: Listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
