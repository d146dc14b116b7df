import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { summaryOf } from '#contract/note-summary.ts'
import type { Note, NotePage, NoteSummary } from '#contract/notes.ts'
import { allNoteLists, historyKey, noteKey, noteListQuery } from './note-queries.ts'

/** What the lists show of a note. */
export function summarized({ text, ...note }: Note): NoteSummary {
  return { ...note, ...summaryOf(text) }
}

/** Shows a note in its place in the lists that are held, if it is not older than what they show. */
export function showInLists(queryClient: QueryClient, note: NoteSummary) {
  for (const deleted of [false, true])
    queryClient.setQueryData(noteListQuery(deleted).queryKey, (held) => held && placed(held, note, deleted))
}

/** What the lists show of a note, if one of them shows it. */
export const listedNote = (queryClient: QueryClient, id: string): NoteSummary | undefined =>
  [false, true]
    .flatMap((deleted) => queryClient.getQueryData(noteListQuery(deleted).queryKey)?.pages ?? [])
    .flatMap(({ notes }) => notes)
    .find(({ _id }) => _id === id)

/** Shows a stored note in the lists, and as what its next opening begins with. */
export function showStoredNote(queryClient: QueryClient, note: Note) {
  const held = queryClient.getQueryData<Note>(noteKey(note._id))
  if (held && held.version > note.version) return
  queryClient.setQueryData(noteKey(note._id), note)
  queryClient.invalidateQueries({ queryKey: historyKey(note._id) })
  showInLists(queryClient, summarized(note))
}

/** Removes notes that no longer exist. A shown one is asked for again, so that the page says that it is gone. */
export function removeNotes(queryClient: QueryClient, ids: string[]) {
  for (const id of ids) queryClient.resetQueries({ queryKey: noteKey(id) })
  for (const deleted of [false, true])
    queryClient.setQueryData(
      noteListQuery(deleted).queryKey,
      (held) => held && inOnePage(held, (notes) => notes.filter(({ _id }) => !ids.includes(_id))),
    )
}

export const reloadNotes = (queryClient: QueryClient) => queryClient.invalidateQueries(allNoteLists)

function placed(held: InfiniteData<NotePage>, note: NoteSummary, deleted: boolean) {
  return inOnePage(held, (notes, hasMore) => {
    const shown = notes.find(({ _id }) => _id === note._id)
    if (shown && shown.version > note.version) return notes
    const others = notes.filter((other) => other !== shown)
    if ((note.deletedAt !== null) !== deleted) return others
    const place = others.findIndex((other) => isBefore(note, other))
    // Behind the loaded ones, it comes with its page.
    if (place < 0 && hasMore && !shown) return others
    return others.toSpliced(place < 0 ? others.length : place, 0, note)
  })
}

/** The order of the server: pinned first, then the newest text; deleted ones by their deletion. */
function isBefore(one: NoteSummary, other: NoteSummary): boolean {
  if (one.deletedAt !== null) return one.deletedAt >= (other.deletedAt ?? '')
  if (one.pinned !== other.pinned) return one.pinned
  return one.changedAt >= other.changedAt
}

function inOnePage(
  held: InfiniteData<NotePage>,
  change: (notes: NoteSummary[], hasMore: boolean) => NoteSummary[],
): InfiniteData<NotePage> {
  const nextCursor = held.pages.at(-1)?.nextCursor
  const notes = change(
    held.pages.flatMap((page) => page.notes),
    nextCursor !== undefined,
  )
  return { pages: [{ notes, ...(nextCursor !== undefined && { nextCursor }) }], pageParams: [''] }
}
