import { type KeyboardEvent, type ToggleEvent, useLayoutEffect, useRef } from 'react'
import { priorities } from '#contract/lists.ts'
import type { Priority } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import { prioritise } from '../../engine/verbs/plan.ts'
import { labelFor } from '../../engine/verbs/verb.ts'
import { useEngine } from '../../state/use-engine.tsx'
import type { OpenProps } from '../../ui/dialog.tsx'
import { hasTextFieldFocus, pressedKey } from '../../ui/pressed-key.ts'
import { changeSelected } from '../cards.ts'
import { countTasks } from '../sentence.tsx'
import './priority-menu.css'
import { useKeyDown } from '../../ui/use-key-down.ts'

export function PriorityMenu({ tasks, open, onClose }: OpenProps & { tasks: readonly Task[] }) {
  const engine = useEngine()
  const { make } = engine.changes
  const menu = useMenu(open, tasks)
  const [first] = tasks as [Task]
  const current = first.priority
  const isShared = tasks.every(({ priority }) => priority === current)

  function choose(priority: Priority) {
    const changes = tasks.map((task) => prioritise.make(task, priority))
    if (changes.length > 1) return changeSelected(engine, changes, onClose)
    onClose()
    make(changes)
  }

  useKeyDown(open, (event) => {
    const isModified = event.ctrlKey || event.metaKey || event.altKey
    const chosen = priorities[Number(pressedKey(event)) - 1]
    // A key that is held down may have opened the menu.
    if (!chosen || isModified || event.repeat || event.defaultPrevented || hasTextFieldFocus(event)) return
    event.preventDefault()
    choose(chosen)
  })

  function press(event: KeyboardEvent<HTMLElement>) {
    const key = pressedKey(event.nativeEvent)
    if (key === 'Tab') onClose()
    // Enter chooses. A space is typed text, after which the rest of it would act on the list.
    if (key === ' ') return event.preventDefault()
    if (key !== 'Escape') return moveInMenu(event)
    // The browser would close it too, but reports that later, so a key that is pressed until then would be lost.
    event.preventDefault()
    onClose()
  }

  return (
    // A landmark around it, because a menu is none.
    <section aria-label={prioritise.label}>
      <div
        ref={menu}
        role="menu"
        aria-label={labelFor(prioritise, tasks.length === 1 ? first.title : countTasks(tasks.length))}
        popover="auto"
        className="priority-menu popover keyed"
        tabIndex={-1}
        onKeyDown={press}
        // Where a button is pressed when the space is released.
        onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
        onToggle={({ newState }: ToggleEvent) => newState === 'closed' && onClose()}
      >
        {priorities.map((priority, index) => (
          <button
            key={priority}
            type="button"
            className="entry row loose strong"
            role="menuitemradio"
            aria-checked={isShared && priority === current}
            aria-keyshortcuts={`${index + 1}`}
            data-key={index + 1}
            data-shape={priority}
            tabIndex={-1}
            onClick={() => choose(priority)}
          >
            {priority[0]?.toUpperCase() + priority.slice(1)}
          </button>
        ))}
      </div>
    </section>
  )
}

function useMenu(isOpen: boolean, tasks: readonly Task[]) {
  const menu = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const shown = menu.current
    if (!shown) return
    if (!isOpen) return shown.hidePopover()
    const place = () => placeAt(shown, openerOf(tasks))
    shown.showPopover()
    place()
    const items = itemsOf(shown)
    const checked = items.find((item) => item.ariaChecked === 'true')
    ;(checked ?? items[0])?.focus({ preventScroll: true })
    // It is fixed to the window, the opener is not.
    const leave = () => shown.hidePopover()
    document.addEventListener('scroll', leave, { capture: true, once: true })
    window.addEventListener('resize', place)
    return () => {
      document.removeEventListener('scroll', leave, { capture: true })
      window.removeEventListener('resize', place)
    }
  }, [isOpen, tasks])
  return menu
}

function placeAt(menu: HTMLElement, opener: Element | null) {
  const { left, right, top, bottom } = opener?.getBoundingClientRect() ?? new DOMRect()
  const isAbove = bottom + menu.offsetHeight > window.innerHeight
  const isAtEnd = left + menu.offsetWidth > window.innerWidth
  Object.assign(menu.style, {
    left: `${isAtEnd ? Math.max(0, right - menu.offsetWidth) : left}px`,
    top: isAbove ? 'auto' : `${bottom}px`,
    bottom: isAbove ? `${window.innerHeight - top}px` : 'auto',
  })
}

function openerOf(tasks: readonly Task[]): Element | null {
  const [task] = tasks
  const place = tasks.length === 1 && task ? `[data-task="${CSS.escape(task._id)}"]` : '[data-selection]'
  return document.querySelector(`${place} [data-action=${prioritise.name}]`)
}

const itemsOf = (menu: Element) => [...menu.querySelectorAll<HTMLElement>('[role=menuitemradio]')]

function moveInMenu(event: KeyboardEvent<HTMLElement>) {
  const items = itemsOf(event.currentTarget)
  const index = items.indexOf(document.activeElement as HTMLElement)
  const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key]
  if (target === undefined) return
  event.preventDefault()
  items.at(target % items.length)?.focus()
}
