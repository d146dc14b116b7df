import type { ImportOutcomes } from '#contract/imports.ts'
import { importsPerCall, requestBytes } from '#contract/limits.ts'
import { problemFrom } from '../api/client.ts'
import { call } from '../api/page-client.ts'
import { mayPass } from '../engine/sync/retry-delay.ts'
import { pageSigns } from '../state/page-needs.ts'
import { type Corrections, correctedNote, correctedTask } from './corrections.ts'
import type { Imported } from './parsing/imported.ts'

/** What one call of an import has of each list. */
type ImportLists = { tasks: object[]; notes: object[]; versions: object[] }

/** A task, a note or a version as it is sent, in the list of the call to which it belongs. */
export type ImportEntry = { list: keyof ImportLists; value: object }

/** All that is sent, in its order: a version follows its note. */
export const entriesOf = ({ tasks, notes, versions }: Imported, corrections: Corrections): ImportEntry[] => [
  ...tasks.map((task): ImportEntry => ({ list: 'tasks', value: correctedTask(task, corrections) })),
  ...notes.map((note): ImportEntry => ({ list: 'notes', value: correctedNote(note, corrections) })),
  ...versions.map((value): ImportEntry => ({ list: 'versions', value })),
]

/** Room for the names of the lists and the id of the import. */
const mostBytes = requestBytes.default - 1000

/** The entries from an index on that one call takes: at least one. */
export function nextEntries(entries: readonly ImportEntry[], from: number): ImportEntry[] {
  const encoder = new TextEncoder()
  const next: ImportEntry[] = []
  let bytes = 0
  for (const entry of entries.slice(from, from + importsPerCall)) {
    bytes += encoder.encode(JSON.stringify(entry.value)).length + 1
    if (next.length > 0 && bytes > mostBytes) break
    next.push(entry)
  }
  return next
}

function listsOf(entries: readonly ImportEntry[]): ImportLists {
  const lists: ImportLists = { tasks: [], notes: [], versions: [] }
  for (const { list, value } of entries) lists[list].push(value)
  return lists
}

export type Counts = { added: number; existing: number; restored: number }

/** Something that the server did not take, and why. */
type Refused = { title: string; reason: string }

export type Progress = {
  /** How many entries were sent. */
  done: number
  counts: Counts
  refused: Refused[]
}

type Sending = {
  id: string
  entries: readonly ImportEntry[]
  /** How far it came before. */
  from: Progress
  signal: AbortSignal
  onProgress: (progress: Progress) => void
  /** Called with why a call has to be sent again, and with nothing once it was answered. */
  onWait: (reason: string) => void
}

/** Sends entries by one call after the other. Throws if the signal is aborted, or if the server takes no more of them. */
export async function sendImport({ id, entries, from, signal, onProgress, onWait }: Sending) {
  let { done, counts, refused } = from
  while (done < entries.length) {
    const some = nextEntries(entries, done)
    await send(some)
    done += some.length
    onProgress({ done, counts, refused })
  }

  async function send(some: ImportEntry[]): Promise<void> {
    try {
      counts = sum(counts, await pageSigns.untilDone(() => attempt(some), signal, isRepeated))
    } catch (error) {
      const problem = problemFrom(error)
      // The server refuses all of a call for one of its entries, or because they are too long together.
      if (!problem || ![400, 413].includes(problem.status)) throw error
      if (some.length > 1) {
        const half = Math.ceil(some.length / 2)
        await send(some.slice(0, half))
        await send(some.slice(half))
      } else
        refused = [...refused, ...some.map((entry) => ({ title: titleOf(entry), reason: reasonOf(problem) }))]
    }
  }

  async function attempt(some: ImportEntry[]) {
    const { data } = await call('POST /import', { body: { import: id, ...listsOf(some) } as never, signal })
    onWait('')
    return data
  }

  function isRepeated(error: unknown) {
    if (mayPass(error)) onWait((error as Error).message)
    return mayPass(error)
  }
}

function sum(counts: Counts, { tasks, notes }: ImportOutcomes): Counts {
  const all = { ...counts }
  for (const outcome of [...tasks, ...notes]) all[outcome]++
  return all
}

function titleOf({ value }: ImportEntry) {
  const { title, text = '' } = value as { title?: string; text?: string }
  return (title ?? text.trimStart().split('\n', 1)[0] ?? '').slice(0, 100)
}

const reasonOf = ({ message, problem }: NonNullable<ReturnType<typeof problemFrom>>) =>
  problem.errors?.[0] ? `${problem.errors[0].field.split('/').at(-1)} ${problem.errors[0].message}` : message
