import { type RefObject, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { fold } from '#contract/folding.ts'
import { offered } from '../engine/verbs/verb.ts'
import { useDashboard, useIsOpen, useTagName } from '../state/dashboard-state.tsx'
import { useEngine } from '../state/use-engine.tsx'
import { Month } from '../tasks/planning/month.tsx'
import { Brand } from '../ui/brand.tsx'
import { Button, IconButton, LinkButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { pressedKey } from '../ui/pressed-key.ts'
import { usePressOutside } from '../ui/use-press-outside.ts'
import { tagPath } from '../views/views.ts'
import { SidebarViews } from './sidebar-views.tsx'
import './sidebar.css'
import './sidebar-tags.css'

export function Sidebar({ collapsed, onCollapse }: { collapsed: boolean; onCollapse: () => void }) {
  const sidebar = useRef<HTMLElement>(null)
  const closeButton = useRef<HTMLButtonElement>(null)
  useDrawer(sidebar, closeButton)
  const open = useDashboard((state) => state.open)
  const close = useDashboard((state) => state.close)

  return (
    <aside ref={sidebar} className="sidebar" aria-label="Sidebar">
      <div className="sidebar-head row apart">
        <Brand />
        <IconButton
          icon="sidebar"
          className="sidebar-toggle"
          label={collapsed ? 'Expand sidebar' : 'Collapse sidebar'}
          aria-expanded={!collapsed}
          onClick={onCollapse}
        />
        <IconButton
          icon="close"
          ref={closeButton}
          className="drawer-close"
          label="Close menu"
          onClick={() => close('drawer')}
        />
      </div>
      <Button
        className="button button-primary sidebar-add"
        aria-keyshortcuts={offered.add.key}
        onClick={() => open({ name: 'addTask' })}
      >
        <Icon name={offered.add.icon} />
        <span className="sidebar-label">Add Task</span>
      </Button>
      <SidebarViews />
      <SidebarTags />
      <Calendar />
    </aside>
  )
}

/** How many tags are listed until the others are unfolded; one or two more are not worth a fold. */
const maxShown = 8

const none: readonly string[] = []

function SidebarTags() {
  const { used, subscribe } = useEngine().tags
  const tags = useSyncExternalStore(subscribe, used, () => none)
  const [isUnfolded, setUnfolded] = useState(false)
  const shownTag = useTagName()
  const close = useDashboard((state) => state.close)
  if (tags.length === 0) return null
  const isFolding = tags.length > maxShown + 2
  const shown = isUnfolded || !isFolding ? tags : tags.slice(0, maxShown)
  return (
    <nav aria-label="Tags" className="sidebar-tags wraps words small">
      <ul className="contents">
        {shown
          .toSorted((one, other) => one.localeCompare(other))
          .map((tag) => (
            <li key={fold(tag)}>
              <Link
                className="tag"
                to={tagPath(tag)}
                aria-current={
                  shownTag !== undefined && fold(`#${shownTag}`) === fold(tag) ? 'true' : undefined
                }
                dir="auto"
                onClick={() => close('drawer')}
              >
                {tag}
              </Link>
            </li>
          ))}
      </ul>
      {isFolding && (
        <LinkButton aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
          {isUnfolded ? 'Fewer tags' : `All ${tags.length} tags`}
        </LinkButton>
      )}
    </nav>
  )
}

/** Selecting a day is local and filters nothing (specification section 2). */
function Calendar() {
  const [selected, select] = useState<string>()
  const toggle = useCallback((day: string) => select((before) => (before === day ? undefined : day)), [])
  return <Month selected={selected} onSelect={toggle} />
}

/** Below 768 px the sidebar is a drawer: focus goes to its Close button, stays inside and returns when it closes. */
function useDrawer(drawer: RefObject<HTMLElement | null>, closeButton: RefObject<HTMLButtonElement | null>) {
  const open = useIsOpen('drawer')
  const closeOverlay = useDashboard((state) => state.close)
  usePressOutside(open, drawer, () => closeOverlay('drawer'))

  useEffect(() => {
    if (!open) return
    const opener = document.activeElement as HTMLElement | null
    closeButton.current?.focus()

    // After its last element the focus would move to an element that is not inert, such as a toast.
    const keepInside = ({ target }: FocusEvent) => {
      const isInside = drawer.current?.contains(target as Node)
      if (!isInside) closeButton.current?.focus()
    }
    const close = () => closeOverlay('drawer')
    const left = new AbortController()
    const { signal } = left
    document.addEventListener('focusin', keepInside, { signal })
    matchMedia('(width >= 768px)').addEventListener('change', close, { signal })
    onCloseRequest(close, signal)
    return () => {
      left.abort()
      opener?.focus()
    }
  }, [open, closeOverlay, drawer, closeButton])
}

/** Not in TypeScript's library yet. */
declare class CloseWatcher {
  constructor(options: { signal: AbortSignal })
  onclose: (() => void) | null
}

/** Calls `close` when the reader closes something with Escape, or with Back where the system supports that. */
function onCloseRequest(close: () => void, signal: AbortSignal) {
  if ('CloseWatcher' in window) new CloseWatcher({ signal }).onclose = close
  else document.addEventListener('keydown', (event) => pressedKey(event) === 'Escape' && close(), { signal })
}
