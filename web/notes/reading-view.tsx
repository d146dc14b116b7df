import type { Tree } from '@lezer/common'
import { startTransition, useEffect, useReducer, useState, useSyncExternalStore } from 'react'
import type { Range } from '#contract/ranges.ts'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import { Delayed } from '../ui/delayed.tsx'
import type { WidgetUses } from './editor/widgets.ts'
import type { LinkedItems } from './markdown/linked-items.ts'
import { noteParser } from './markdown/note-parser.ts'
import { linkToTitled, type WrittenTitle } from './markdown/note-titles.ts'
import { parseSlowly } from './markdown/parse-slowly.ts'
import { Reading } from './markdown/reading.tsx'
import type { ReadingContext } from './markdown/reading-link.tsx'
import './markdown/linked-item.css'
import './markdown/reading.css'

type ReadingViewProps = WidgetUses & Pick<ReadingContext, 'hasBlankLines'> & { note: NoteDocument }

/** The note without marks, with tables, and with checkboxes that tick. */
export function ReadingView({ note, linked, onWriteNote, ...handlers }: ReadingViewProps) {
  const text = useText(note)
  function replace({ from, to }: Range, written: string) {
    note.edit(text.slice(0, from) + written + text.slice(to))
    note.shown()
  }
  const tick = (position: number) =>
    replace({ from: position + 1, to: position + 2 }, text[position + 1] === ' ' ? 'x' : ' ')
  function openTitled({ title, ...range }: WrittenTitle) {
    const id = linked.idOfTitle(title) ?? onWriteNote(title)
    replace(range, linkToTitled(title, id))
    handlers.onOpen({ kind: 'note', id })
  }
  return <ReadText {...{ text, linked, ...handlers }} onTick={tick} onTitle={openTitled} />
}

type ReadTextProps = Omit<ReadingContext, 'itemOf' | 'idOfTitle'> & { linked: LinkedItems }

/** Parses and renders a text in parts, so that a long one does not block the page. */
export function ReadText({ text, linked, ...handlers }: ReadTextProps) {
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
  if (!read)
    return (
      <Delayed>
        <p className="note-state soft small">Loading</p>
      </Delayed>
    )
  const context = { text: read.text, itemOf: linked.get, idOfTitle: linked.idOfTitle, ...handlers }
  return <Reading tree={read.tree} context={context} />
}

/** For paper: parsed and rendered at once, because printing does not wait. */
export function PrintedNote({ note, linked }: Pick<ReadingViewProps, 'note' | 'linked'>) {
  const { text } = note
  return (
    <div className="print-only">
      <Reading tree={noteParser.parse(text)} context={{ text, itemOf: linked.get, onOpen() {} }} />
    </div>
  )
}

function useText(note: NoteDocument): string {
  return useSyncExternalStore(
    (listener) => {
      const stop = [note.subscribe(listener), note.onMerge(listener)]
      return () => stop.forEach((end) => void end())
    },
    () => note.text,
  )
}
