import type { Note, NoteSummary } from '#contract/notes.ts'
import { problemFrom } from '../../api/client.ts'
import type { Needs } from '../needs.ts'
import { mayPass } from '../sync/retry-delay.ts'
import type { createDeviceTexts } from './device-texts.ts'
import type { Connection } from './page-connection.ts'

/** Texts stored at once, and milliseconds before each call: a user has 300 calls in ten seconds. */
const [atOnce, pause] = [10, 200]

/** Milliseconds without a use after which the page counts as unused. */
const quietFor = 2000

type Texts = Pick<ReturnType<typeof createDeviceTexts>, 'missing' | 'keep'>

/** Returns the function that fetches missing texts one by one while nobody uses the page, each version once. */
export function createTextFetcher(
  { missing, keep }: Texts,
  { needs, connection }: { needs: Needs; connection: Pick<Connection, 'offline'> },
  signal: AbortSignal,
) {
  const { call, device, locks, wait } = needs
  const use = followUse(needs, connection, signal)
  const fetched = new Map<string, number>()
  let isRunning = false
  /** Whether the browser could not store a text. Then nothing is fetched until the next visit. */
  let isFull = false

  async function nextOnes(): Promise<NoteSummary[]> {
    const notes = (await missing()).filter(({ _id, version }) => fetched.get(_id) !== version)
    return notes.slice(0, atOnce)
  }

  async function fetchSome(unused: AbortSignal) {
    const notes: Note[] = []
    try {
      for (const { _id, version } of await nextOnes()) {
        await new Promise((resolve) => setTimeout(resolve, pause))
        unused.throwIfAborted()
        try {
          notes.push((await call('GET /notes/:id', { params: { id: _id }, signal: unused })).data.note)
        } catch (error) {
          if (problemFrom(error)?.status !== 404) throw error
        }
        fetched.set(_id, version)
      }
    } finally {
      if (notes.length > 0)
        await keep(notes).catch((error) => {
          isFull = true
          throw error
        })
    }
  }

  return async function fetchTexts() {
    if (isRunning || isFull) return
    isRunning = true
    try {
      for (let failures = 0; !isFull && (await nextOnes()).length > 0; ) {
        const unused = await use.untilUnused()
        try {
          // One tab at a time. The next ones find what it has stored.
          await locks?.request(`${device?.database}-texts`, { signal: unused }, () => fetchSome(unused))
          failures = 0
        } catch (error) {
          if (unused.aborted) continue
          if (!mayPass(error)) throw error
          await wait(failures++, signal)
        }
      }
    } finally {
      isRunning = false
    }
  }
}

function followUse(
  { isOnline, isVisible, on }: Needs,
  { offline }: Pick<Connection, 'offline'>,
  signal: AbortSignal,
) {
  let [usedAt, unused] = [performance.now(), new AbortController()]
  function used() {
    usedAt = performance.now()
    unused.abort()
    unused = new AbortController()
  }
  on(['use', 'offline'], used, signal)

  return {
    /** Waits until the page is visible, unused and online. The returned signal is aborted at the next use. */
    async untilUnused(): Promise<AbortSignal> {
      for (;;) {
        signal.throwIfAborted()
        const rest = usedAt + quietFor - performance.now()
        const isFree = rest <= 0 && isVisible()
        if (isFree && isOnline() && !offline.getState()) return AbortSignal.any([unused.signal, signal])
        await new Promise((resolve) => setTimeout(resolve, Math.max(rest, quietFor / 2)))
      }
    },
  }
}
