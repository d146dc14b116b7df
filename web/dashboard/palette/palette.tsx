import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { isBlank } from '#contract/blank.ts'
import { keepInBrowser, ownAccount, storedValue } from '../../api/session.ts'
import { Dialog, type OpenProps } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { findSuggestions, type Suggestion } from './find-suggestions.ts'
import { useSuggestions } from './use-suggestions.ts'
import '../../ui/kbd.css'
import { pressedKey } from '../../ui/pressed-key.ts'
import './palette.css'

const mostSuggestions = 50

const kinds = { command: '', tag: 'Tag', task: 'Task', note: 'Note' }
const icons = { tag: 'tag', task: 'task', note: 'notes' } as const

export function Palette({ open, onClose }: OpenProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const { suggestions, search, choose } = useSuggestions()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const isSearch = !isBlank(query)
  const shown = isSearch
    ? [...findSuggestions(suggestions, query, mostSuggestions), search(query)]
    : recentAndCommands(suggestions)

  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])

  function run(suggestion: Suggestion | undefined) {
    if (!suggestion || !open) return
    if (suggestion.isPlace) keepRecentPlace(suggestion.id)
    // The dialog gives the focus back at once, so that the next key is for what the suggestion opens.
    list.current?.closest('dialog')?.close()
    onClose()
    choose(suggestion)
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
      <div className="field palette">
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
          {shown.map((suggestion, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names the active suggestion
            <div
              key={`${suggestion.kind} ${suggestion.id}`}
              id={`${id}-${index}`}
              className="entry row loose"
              role="option"
              aria-selected={index === active}
              // Not on entering: a suggestion that appears under a pointer at rest was not chosen.
              onMouseMove={() => setActive(index)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => run(suggestion)}
            >
              <Icon name={suggestion.kind === 'command' ? suggestion.icon : icons[suggestion.kind]} />
              <span className="one-line" dir="auto">
                {suggestion.label}
              </span>
              {suggestion.key ? (
                <kbd className="rigid">{suggestion.key}</kbd>
              ) : (
                <span className="soft small rigid">{kinds[suggestion.kind]}</span>
              )}
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

function recentAndCommands(all: readonly Suggestion[]): Suggestion[] {
  const recent = recentPlaces().flatMap(
    (place) => all.find(({ id, isPlace }) => isPlace && id === place) ?? [],
  )
  const commands = all.filter(({ kind }) => kind === 'command')
  return [...new Set([...recent, ...commands])]
}

const mostKept = 5

/** With the account, so that another one that is used in this browser does not see them. A logout removes them. */
const keyNow = () => `places ${ownAccount()} recent`

/** Newest first. */
function recentPlaces(): string[] {
  const kept = storedValue<unknown>(localStorage, keyNow())
  return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
}

function keepRecentPlace(place: string): void {
  keepInBrowser(keyNow(), [place, ...recentPlaces().filter((id) => id !== place)].slice(0, mostKept))
}
