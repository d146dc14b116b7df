import { type ToggleEvent, useId, useRef, useState } from 'react'
import { IconButton } from '../ui/icon-button.tsx'

export type MenuItem = { name: string; pressed?: boolean; isOff?: boolean; onClick: () => void }

/** The button of a menu, and the menu below it. The browser closes it by Escape and by a press elsewhere. */
export function NoteMenu({ items }: { items: readonly MenuItem[] }) {
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
        right: `${document.documentElement.clientWidth - right}px`,
      })
  }

  return (
    <>
      <IconButton
        ref={button}
        icon="more"
        label="More"
        title="More"
        aria-expanded={isOpen}
        popoverTarget={id}
      />
      <div id={id} ref={menu} popover="auto" className="note-menu" onBeforeToggle={toggle}>
        {items.map(({ name, pressed, isOff, onClick }) => (
          <button
            key={name}
            type="button"
            aria-pressed={pressed}
            disabled={isOff}
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
