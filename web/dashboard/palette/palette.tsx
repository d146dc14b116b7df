import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { isBlank } from '#contract/blank.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { findEntries, type PaletteEntry } from './find-entries.ts'
import { useEntries } from './use-entries.ts'
import '../../ui/kbd.css'
import { pressedKey } from '../../ui/pressed-key.ts'
import './palette.css'

type PaletteProps = { open: boolean; onClose: () => void }

/** The most entries that are shown. */
const maxEntries = 50

/** The entries that were chosen in this tab, newest first; offered before anything is typed. */
let recent: string[] = []
const mostRecent = 5

const kinds = { command: '', tag: 'Tag', task: 'Task', note: 'Note' }

/** Finds views, commands, tags, tasks and notes by their words, and opens or runs the chosen one. */
export function Palette({ open, onClose }: PaletteProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const { entries, search, choose } = useEntries()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const isSearch = !isBlank(query)
  const shown = isSearch
    ? [...findEntries(entries, query, maxEntries), search(query)]
    : withRecent(
        entries.filter(({ kind }) => kind === 'command'),
        entries,
      )

  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])

  function run(entry: PaletteEntry | undefined) {
    if (!entry || !open) return
    recent = [entry.id, ...recent.filter((id) => id !== entry.id)].slice(0, mostRecent)
    // The dialog gives the focus back at once, so that the next key is for what the entry opens.
    list.current?.closest('dialog')?.close()
    onClose()
    choose(entry)
  }

  function press(event: KeyboardEvent) {
    const key = pressedKey(event.nativeEvent)
    const { length } = shown
    if (key === 'ArrowDown') setActive((active + 1) % length)
    else if (key === 'ArrowUp') setActive((active + length - 1) % length)
    else if (key === 'Enter' && !event.repeat) run(shown[active])
    else if (key !== 'Enter') return
    event.preventDefault()
  }

  return (
    <Dialog open={open} onClose={onClose} title="Go to or do…">
      <div className="palette">
        <input
          role="combobox"
          data-focus-first
          aria-label="Go to or do…"
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={`${id}-${active}`}
          placeholder="Go to a view, task, note or tag, or run a command"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          dir="auto"
          value={query}
          onChange={({ target }) => {
            setQuery(target.value)
            setActive(0)
          }}
          onKeyDown={press}
        />
        <div ref={list} id={id} role="listbox" aria-label="Go to or do…" className="palette-list">
          {shown.map((entry, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names the active entry
            <div
              key={`${entry.kind} ${entry.id}`}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              // Not on entering: an entry that appears under a pointer at rest was not chosen.
              onMouseMove={() => setActive(index)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => run(entry)}
            >
              <span dir="auto">{entry.label}</span>
              {entry.key ? <kbd>{entry.key}</kbd> : <span className="palette-kind">{kinds[entry.kind]}</span>}
            </div>
          ))}
        </div>
        <p role="status" className="visually-hidden">
          {isSearch && `${shown.length - 1} found`}
        </p>
      </div>
    </Dialog>
  )
}

/** The recently chosen entries, and then the others. */
function withRecent(others: readonly PaletteEntry[], all: readonly PaletteEntry[]): PaletteEntry[] {
  const chosen = recent.flatMap((id) => all.find((entry) => entry.id === id) ?? [])
  return [...chosen, ...others.filter((entry) => !chosen.includes(entry))]
}
