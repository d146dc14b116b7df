import { importsPerCall, requestBytes } from '#contract/limits.ts'
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

/** The lists of a call. */
export function listsOf(entries: readonly ImportEntry[]): ImportLists {
  const lists: ImportLists = { tasks: [], notes: [], versions: [] }
  for (const { list, value } of entries) lists[list].push(value)
  return lists
}
