import { importedBytes } from '#contract/import-size.ts'
import type { ImportRoom } from '#contract/imports.ts'
import { importsPerCall, requestBytes, titleLength } from '#contract/limits.ts'
import { problemFrom } from '../api/client.ts'
import type {
  Corrections,
  ImportEntry,
  Imported,
  ImportedNote,
  ImportedTask,
  Progress,
} from '../engine/imported.ts'
import type { Needs } from '../engine/needs.ts'
import type { Store } from '../engine/store/store.ts'
import { mayPass } from '../engine/sync/retry-delay.ts'
import { isLonger, missingTags, tagOf, withTags } from './parsing/fitted-text.ts'
import { inDigits } from './parsing/remarks.ts'

export const noCorrections: Corrections = {
  tags: new Map(),
  priorities: { high: 'high', medium: 'medium', low: 'low' },
}

/** The tag of a list, as it is typed or follows from its name; undefined if it has none. */
export const tagOfList = ({ tags }: Corrections, list: string) => tagOf(tags.get(list) ?? list)

/** The tags that an item gets, that of its list first. */
export function tagsOf({ list, tags }: ImportedTask | ImportedNote, corrections: Corrections): string[] {
  const all = [...(list === null ? [] : [tagOfList(corrections, list)]), ...tags.map(tagOf)]
  return [...new Set(all.filter((tag) => tag !== undefined))]
}

/** A task as it is sent. Its tags follow its title, or if that would be too long, its body. */
export function correctedTask(task: ImportedTask, corrections: Corrections) {
  const { list: _, tags: __, ...fields } = task
  const { title, body } = task
  const tags = missingTags(`${title}\n${body}`, tagsOf(task, corrections))
  const tagged = `${title} ${tags}`.trimEnd()
  return {
    ...fields,
    priority: corrections.priorities[task.priority],
    ...(isLonger(tagged, titleLength.max) ? { body: withTags(body, tags.split(' ')) } : { title: tagged }),
  }
}

export function correctedNote(note: ImportedNote, corrections: Corrections) {
  const { list: _, tags: __, ...fields } = note
  return { ...fields, text: withTags(note.text, tagsOf(note, corrections)) }
}

export function listsIn({ tasks, notes }: Pick<Imported, 'tasks' | 'notes'>): [string, number][] {
  const counts = new Map<string, number>()
  for (const { list } of [...tasks, ...notes])
    if (list !== null) counts.set(list, (counts.get(list) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)
}

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

type Sending = {
  needs: Needs
  id: string
  entries: readonly ImportEntry[]
  from: Progress
  signal: AbortSignal
  onProgress: (progress: Progress) => void
  /** Called with why a call has to be sent again, and with nothing once it was answered. */
  onWait: (reason: string) => void
}

/** Sends entries by one call after the other. Throws if the signal is aborted, or if the server takes no more of them. */
export async function sendImport({ needs, id, entries, from, signal, onProgress, onWait }: Sending) {
  let { done, counts, refused } = from
  while (done < entries.length) {
    const some = nextEntries(entries, done)
    await send(some)
    done += some.length
    onProgress({ done, counts, refused })
  }

  async function send(some: ImportEntry[]): Promise<void> {
    try {
      const { tasks, notes } = await needs.untilDone(() => attempt(some), signal, isRepeated)
      counts = { ...counts }
      for (const outcome of [...tasks, ...notes]) counts[outcome]++
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
    const of = (name: ImportEntry['list']) => some.flatMap(({ list, value }) => (list === name ? value : []))
    const body = { import: id, tasks: of('tasks'), notes: of('notes'), versions: of('versions') } as never
    const { data } = await needs.call('POST /import', { body, signal })
    onWait('')
    return data
  }

  function isRepeated(error: unknown) {
    if (mayPass(error)) onWait((error as Error).message)
    return mayPass(error)
  }
}

function titleOf({ value }: ImportEntry) {
  const { title, text = '' } = value as { title?: string; text?: string }
  return (title ?? text.trimStart().split('\n', 1)[0] ?? '').slice(0, 100)
}

const reasonOf = ({ message, problem }: NonNullable<ReturnType<typeof problemFrom>>) =>
  problem.errors?.[0] ? `${problem.errors[0].field.split('/').at(-1)} ${problem.errors[0].message}` : message

/** Sentences about what does not fit into the account. Items that the page knows to be there take no room. */
export function lacking(
  { tasks, notes, versions }: Pick<Imported, 'tasks' | 'notes' | 'versions'>,
  room: ImportRoom,
  { stored }: Pick<Store, 'stored'>,
): string[] {
  const isNew = ({ _id }: { _id: string }) => {
    const known = stored(_id)
    return !known || known.deletedAt !== null
  }
  const added = { tasks: tasks.filter(isNew), notes: notes.filter(isNew), versions }
  const open = (items: readonly { deletedAt: string | null }[]) =>
    items.filter(({ deletedAt }) => deletedAt === null).length
  const wanted = { tasks: open(added.tasks), notes: open(added.notes), bytes: importedBytes(added) }
  return (['tasks', 'notes', 'bytes'] as const).flatMap((name) => {
    const free = Math.max(0, room[name].max - room[name].stored)
    return wanted[name] > free ? noRoom[name](inDigits(free), inDigits(wanted[name])) : []
  })
}

const noRoom = {
  tasks: (free: string, wanted: string) =>
    `Your account has room for ${free} more tasks, and the import has ${wanted} new ones. It stops when your account is full.`,
  notes: (free: string, wanted: string) =>
    `Your account has room for ${free} more notes, and the import has ${wanted} new ones. It stops when your account is full.`,
  bytes: (free: string, wanted: string) =>
    `Your account has room for ${free} more bytes, and the import needs up to ${wanted}. It stops when your account is full.`,
}
