import { type ToggleEvent, useId, useRef, useState } from 'react'
import { IconButton } from '../ui/button.tsx'
import type { IconName } from '../ui/icon.tsx'
import { noteIcons } from './note-icons.ts'

export type MenuItem = {
  name: string
  pressed?: boolean
  isOff?: boolean
  /** A line separates it from the items above. */
  beginsGroup?: boolean
  onClick: () => void
}

type NoteMenuProps = { items: readonly MenuItem[]; icon?: IconName; label?: string }

/** A button and its menu. The browser closes the menu on Escape and on a press elsewhere. */
export function NoteMenu({ items, icon = noteIcons.more, label = 'More' }: NoteMenuProps) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)

  function toggle({ newState }: ToggleEvent) {
    setIsOpen(newState === 'open')
    const { right, bottom } = button.current?.getBoundingClientRect() ?? new DOMRect()
    if (menu.current)
      Object.assign(menu.current.style, {
        top: `${bottom}px`,
        // At most to the left edge of the screen.
        maxWidth: `${right}px`,
        right: `${document.documentElement.clientWidth - right}px`,
      })
  }

  return (
    <>
      <IconButton
        ref={button}
        icon={icon}
        label={label}
        title={label}
        aria-expanded={isOpen}
        popoverTarget={id}
      />
      <div id={id} ref={menu} popover="auto" className="note-menu popover" onBeforeToggle={toggle}>
        {items.map(({ name, pressed, isOff, beginsGroup, onClick }) => (
          <button
            key={name}
            type="button"
            className="entry"
            aria-pressed={pressed}
            disabled={isOff}
            data-begins-group={beginsGroup}
            dir="auto"
            onClick={() => {
              menu.current?.hidePopover()
              onClick()
            }}
          >
            {name}
          </button>
        ))}
      </div>
    </>
  )
}
