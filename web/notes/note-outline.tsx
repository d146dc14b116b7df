import { useEffect, useRef, useState } from 'react'
import { shownText } from './line-endings.ts'
import { headingsOf } from './markdown/headings.ts'

type NoteOutlineProps = { text: string; onGo: (position: number) => void; onClose: () => void }

export function NoteOutline({ text, onGo, onClose }: NoteOutlineProps) {
  const [headings] = useState(() => headingsOf(shownText(text)))
  const menu = useRef<HTMLElement>(null)
  const top = Math.min(...headings.map(({ level }) => level))
  useEffect(() => {
    menu.current?.showPopover()
    menu.current?.querySelector('button')?.focus()
  }, [])
  return (
    <nav
      ref={menu}
      popover="auto"
      className="note-menu popover note-outline"
      aria-label="Outline"
      onToggle={({ newState }) => newState === 'closed' && onClose()}
    >
      {headings.map(({ level, title, from }) => (
        <button
          key={from}
          type="button"
          className="entry one-line"
          dir="auto"
          style={{ '--level': level - top } as React.CSSProperties}
          onClick={() => {
            menu.current?.hidePopover()
            onGo(from)
          }}
        >
          {title}
        </button>
      ))}
    </nav>
  )
}
