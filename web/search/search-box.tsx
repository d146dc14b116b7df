import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { searchLength } from '#contract/limits.ts'
import { rest } from '../parts/parts.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { pressedKey } from '../ui/pressed-key.ts'
import { useKeyDown } from '../ui/use-key-down.ts'
import { useMedia } from '../ui/use-media.ts'
import { searchKey } from '../views/command-keys.ts'
import { searchIn, searchPath } from '../views/views.ts'
import './search-box.css'

/** In milliseconds: the pause in typing after which the text is searched for. */
const pause = 120

export function SearchBox() {
  const box = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const navigate = useNavigate()
  const location = useLocation()
  const navigation = useNavigationType()
  const text = searchIn(location)
  /** Whether Back leads to the view before the search. */
  const isOverView = location.state?.isOverView === true

  // The field is uncontrolled, because the prerendered page does not know the URL, and the typed text is newer than the URL
  // unless Back or Forward has led to it.
  useEffect(() => {
    isLeaving.current = false
    if (navigation === 'POP') {
      clearTimeout(timer.current)
      timer.current = undefined
    }
    if (timer.current === undefined && box.current) box.current.value = text ?? ''
  }, [text, navigation])
  useEffect(() => () => clearTimeout(timer.current), [])

  const show = useEffectEvent(() => {
    timer.current = undefined
    const typed = box.current?.value ?? ''
    // The first letters add an entry to the history, the others change it, perhaps before it is rendered.
    const shown = searchIn(window.location)
    if (typed === (shown ?? '')) return
    const state = { isOverView: text === undefined || isOverView }
    navigate(searchPath(window.location, typed), { replace: shown !== undefined, state })
  })
  function showAfterPause() {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => show(), pause)
  }
  function showNow() {
    clearTimeout(timer.current)
    show()
  }

  const isNarrow = useMedia('(width < 576px)')
  const [isFocused, setFocused] = useState(false)
  const isOverlaid = useDashboard(({ overlay }) => overlay !== undefined)
  const isLeaving = useRef(false)
  function leave() {
    if (isLeaving.current) return
    clearTimeout(timer.current)
    timer.current = undefined
    if (box.current) box.current.value = ''
    if (text === undefined) return box.current?.blur()
    isLeaving.current = true
    // Back, the browser returns to where the reader was.
    if (isOverView) navigate(-1)
    else navigate(searchPath(location, undefined))
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  useKeyDown(text !== undefined && !isOverlaid, (event) => {
    if (pressedKey(event) === 'Escape' && !event.defaultPrevented) leave()
  })

  function press(event: KeyboardEvent) {
    const key = pressedKey(event.nativeEvent)
    if (key === 'Escape' && text === undefined) leave()
    if (key !== 'ArrowDown' && key !== 'Enter') return
    event.preventDefault()
    if (key === 'Enter') showNow()
    if (text !== undefined) document.querySelector<HTMLElement>('[data-task], [data-found-note]')?.focus()
  }

  return (
    <search
      className="search-box row soft"
      onFocus={() => setFocused(true)}
      onBlur={({ currentTarget, relatedTarget }) => setFocused(currentTarget.contains(relatedTarget))}
    >
      <Icon name="search" />
      <input
        ref={box}
        type="search"
        className="bare-input"
        data-action="search"
        aria-label="Search"
        aria-keyshortcuts={searchKey}
        placeholder="Search"
        maxLength={searchLength.max}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        dir="auto"
        onFocus={rest.want}
        onInput={showAfterPause}
        // Otherwise the search would replace the view that is chosen before the pause is over.
        onBlur={() => timer.current !== undefined && showNow()}
        onKeyDown={press}
      />
      {isNarrow && isFocused && (
        <LinkButton
          // The field keeps the focus until the press has ended, because the button goes with it.
          onMouseDown={(event) => event.preventDefault()}
          onClick={leave}
        >
          Cancel
        </LinkButton>
      )}
    </search>
  )
}
