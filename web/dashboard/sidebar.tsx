import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { offered } from '../engine/verbs/verb.ts'
import { useDashboard, useIsOpen } from '../state/dashboard-state.tsx'
import { Month } from '../tasks/planning/month.tsx'
import { Brand } from '../ui/brand.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { usePressOutside } from '../ui/use-press-outside.ts'
import { SidebarTags } from './sidebar-tags.tsx'
import { SidebarViews } from './sidebar-views.tsx'
import './sidebar.css'
import { useEffectEvent } from 'react'
import { pressedKey } from '../ui/pressed-key.ts'

/** Add Task, the views, the tags in use and the month; a column from 768 px up, a drawer below. */
export function Sidebar({ collapsed, onCollapse }: { collapsed: boolean; onCollapse: () => void }) {
  const sidebar = useRef<HTMLElement>(null)
  const closeButton = useRef<HTMLButtonElement>(null)
  useDrawer(sidebar, closeButton)
  const open = useDashboard((state) => state.open)
  const close = useDashboard((state) => state.close)

  return (
    <aside ref={sidebar} className="sidebar" aria-label="Sidebar">
      <div className="sidebar-head">
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

/** The month of the sidebar. Selecting a day is local and filters nothing (specification section 2). */
function Calendar() {
  const [selected, select] = useState<string>()
  const toggle = useCallback((day: string) => select((before) => (before === day ? undefined : day)), [])
  return <Month selected={selected} onSelect={toggle} />
}

/** Below 768 px the sidebar is a drawer: focus goes to its Close button, stays inside and returns when it closes. */
function useDrawer(drawer: RefObject<HTMLElement | null>, closeButton: RefObject<HTMLButtonElement | null>) {
  const open = useIsOpen('drawer')
  const closeOverlay = useDashboard((state) => state.close)
  useCloseRequest(open, () => closeOverlay('drawer'))
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
    const wide = matchMedia('(width >= 768px)')

    document.addEventListener('focusin', keepInside)
    wide.addEventListener('change', close)
    return () => {
      document.removeEventListener('focusin', keepInside)
      wide.removeEventListener('change', close)
      opener?.focus()
    }
  }, [open, closeOverlay, drawer, closeButton])
}

/** Not in TypeScript's library yet. */
declare class CloseWatcher {
  onclose: (() => void) | null
  destroy(): void
}

/** Calls `onClose` when the reader closes a dialog with Escape, or with Back where the system supports that. */
export function useCloseRequest(open: boolean, onClose: () => void) {
  const close = useEffectEvent(onClose)

  useEffect(() => {
    if (!open) return
    if ('CloseWatcher' in window) {
      const watcher = new CloseWatcher()
      watcher.onclose = () => close()
      return () => watcher.destroy()
    }
    const closeOnEscape = (event: KeyboardEvent) => pressedKey(event) === 'Escape' && close()
    document.addEventListener('keydown', closeOnEscape)
    return () => document.removeEventListener('keydown', closeOnEscape)
  }, [open])
}
