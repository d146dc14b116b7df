import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { useEngine } from '../../state/use-engine.tsx'
import { isModified, pressedKey } from '../../ui/pressed-key.ts'
import { completionsOf, type TypedTag, typedTagAt } from './known-tags.ts'
import './tag-list.css'

export type TextField = HTMLInputElement | HTMLTextAreaElement

type Open = { typed: TypedTag; known: string[]; tags: string[]; active: number }

/** Nothing is chosen until an arrow key or the pointer chooses it, so that Enter works as it does without the list. */
export function TagList({ field }: { field: TextField }) {
  const id = useId()
  const engine = useEngine()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)

  const update = useEffectEvent((event?: Event) => {
    if (event instanceof InputEvent && event.isComposing) return close()
    const typed = typedTagAt(field.value, field.selectionStart ?? 0)
    if (!typed || field.selectionStart !== field.selectionEnd || document.activeElement !== field)
      return close()
    const known = open?.known ?? engine.tags.all()
    const tags = completionsOf(typed.text, known)
    const active = open && open.typed.text === typed.text ? open.active : -1
    setOpen(tags.length > 0 ? { typed, known, tags, active } : undefined)
  })
  /** The caret may have left the tag. */
  const follow = useEffectEvent(() => open && update())

  function choose(tag: string | undefined) {
    if (!open || tag === undefined) return
    close()
    field.setSelectionRange(open.typed.from, open.typed.to)
    // Only this command is undone by the browser's own undo, and reported as typed.
    document.execCommand('insertText', false, tag)
  }

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!open || isModified(event)) return
    const key = pressedKey(event)
    const { tags, active } = open
    const count = tags.length
    if (key === 'ArrowDown') setOpen({ ...open, active: (active + 1) % count })
    else if (key === 'ArrowUp') setOpen({ ...open, active: active <= 0 ? count - 1 : active - 1 })
    else if (key === 'Escape') close()
    else if ((key === 'Enter' || key === 'Tab') && active >= 0) choose(tags[active])
    // The quick line is then emptied, without an input event.
    else return key === 'Enter' ? close() : undefined
    // The dialog around it and the form must not handle it.
    event.preventDefault()
    event.stopPropagation()
  })

  useEffect(() => {
    const leave = () => setOpen(undefined)
    // It is fixed to the window, the field is not. Typing may scroll the field itself.
    const scroll = ({ target }: Event) => target !== field && leave()
    const listeners = new AbortController()
    const { signal } = listeners
    const listened: HTMLElement = field
    listened.addEventListener('input', update, { signal })
    listened.addEventListener('compositionend', update, { signal })
    listened.addEventListener('keydown', press, { signal })
    listened.addEventListener('blur', leave, { signal })
    document.addEventListener('selectionchange', follow, { signal })
    document.addEventListener('scroll', scroll, { signal, capture: true })
    update()
    return () => listeners.abort()
  }, [field])

  useLabels(field, id, open)
  const list = useListBelow(field, open?.tags.length)
  if (!open) return null
  return (
    <div ref={list} id={id} role="listbox" aria-label="Tags" popover="manual" className="tag-list popover">
      {open.tags.map((tag, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names the chosen entry
        <div
          key={tag}
          id={`${id}-${index}`}
          className="entry row hovers"
          role="option"
          aria-selected={index === open.active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(tag)}
        >
          <span className="one-line" dir="auto">
            {tag}
          </span>
        </div>
      ))}
    </div>
  )
}

function useLabels(field: TextField, id: string, open: Open | undefined) {
  const active = open && open.active >= 0 ? `${id}-${open.active}` : undefined
  useEffect(() => {
    field.setAttribute('aria-autocomplete', 'list')
    set(field, 'aria-controls', open && id)
    set(field, 'aria-activedescendant', active)
  }, [field, id, open, active])
}

const set = (field: TextField, name: string, value: string | undefined) =>
  value === undefined ? field.removeAttribute(name) : field.setAttribute(name, value)

function useListBelow(field: TextField, entries: number | undefined) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const shown = list.current
    if (!shown || entries === undefined) return
    if (!shown.matches(':popover-open')) shown.showPopover()
    const { left, top, bottom, width } = field.getBoundingClientRect()
    // On a phone, the keyboard covers a part of the window.
    const visible = window.visualViewport
    const lowest = (visible?.offsetTop ?? 0) + (visible?.height ?? window.innerHeight)
    const isAbove = bottom + shown.offsetHeight > lowest && top > shown.offsetHeight
    Object.assign(shown.style, {
      left: `${left}px`,
      top: isAbove ? 'auto' : `${bottom}px`,
      bottom: isAbove ? `${window.innerHeight - top}px` : 'auto',
      maxWidth: `${width}px`,
    })
  }, [field, entries])
  return list
}
