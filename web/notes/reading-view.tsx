import type { Tree } from '@lezer/common'
import { startTransition, useEffect, useReducer, useState, useSyncExternalStore } from 'react'
import type { LinkedItems } from './markdown/linked-items.ts'
import type { ItemAddress } from './markdown/note-address.ts'
import { noteParser } from './markdown/note-parser.ts'
import { parseSlowly } from './markdown/parse-slowly.ts'
import { Reading } from './markdown/reading.tsx'
import './markdown/linked-item.css'
import './markdown/reading.css'
import type { NoteDocument } from './note-document.ts'

type ReadingViewProps = {
  note: NoteDocument
  linked: LinkedItems
  onOpen: (address: ItemAddress) => void
  onTickTask?: ((address: ItemAddress, done: boolean) => unknown) | undefined
}

/** The note as it reads: without marks, with tables, and with checkboxes that tick. */
export function ReadingView({ note, linked, onOpen, onTickTask }: ReadingViewProps) {
  const text = useText(note)
  function tick(position: number) {
    const isOpen = text[position + 1] === ' '
    note.edit(`${text.slice(0, position + 1)}${isOpen ? 'x' : ' '}${text.slice(position + 2)}`)
    note.shown()
  }
  return <ReadText text={text} linked={linked} onOpen={onOpen} onTick={tick} onTickTask={onTickTask} />
}

type ReadTextProps = Omit<ReadingViewProps, 'note'> & {
  text: string
  onTick?: (position: number) => void
}

/** A text as it reads. It is parsed and rendered in parts, so that a long one does not block the page. */
export function ReadText({ text, linked, onOpen, onTick, onTickTask }: ReadTextProps) {
  const [read, setRead] = useState<{ text: string; tree: Tree }>()
  const [, renew] = useReducer((count: number) => count + 1, 0)
  useEffect(() => linked.subscribe(() => startTransition(renew)), [linked])
  useEffect(() => {
    const controller = new AbortController()
    parseSlowly(text, controller.signal).then(
      (tree) => tree && startTransition(() => setRead({ text, tree })),
    )
    return () => controller.abort()
  }, [text])
  if (!read) return <p className="note-state">Loading</p>
  const context = { text: read.text, itemOf: linked.get, onOpen, onTick, onTickTask }
  return <Reading tree={read.tree} context={context} />
}

/** The note as it reads, for paper: parsed and rendered at once, because printing waits for nothing. */
export function PrintedNote({ note, linked }: Pick<ReadingViewProps, 'note' | 'linked'>) {
  const { text } = note
  return (
    <div className="print-only">
      <Reading tree={noteParser.parse(text)} context={{ text, itemOf: linked.get, onOpen() {} }} />
    </div>
  )
}

/** The text of a note, also after others have changed it. */
function useText(note: NoteDocument): string {
  return useSyncExternalStore(
    (listener) => {
      const stop = [note.subscribe(listener), note.onMerge(listener)]
      return () => stop.forEach((end) => void end())
    },
    () => note.text,
  )
}
