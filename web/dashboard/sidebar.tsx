import { useCallback, useRef, useState } from 'react'
import { useDashboard } from '../state/dashboard-state.tsx'
import { Month } from '../tasks/planning/month.tsx'
import { Brand } from '../ui/brand.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { SidebarTags } from './sidebar-tags.tsx'
import { SidebarViews } from './sidebar-views.tsx'
import { useDrawer } from './use-drawer.ts'
import './sidebar.css'

type SidebarProps = { collapsed: boolean; onCollapse: () => void }

/** Add Task, the views, the tags in use and the month; a column from 768 px up, a drawer below. */
export function Sidebar({ collapsed, onCollapse }: SidebarProps) {
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
      <button
        type="button"
        className="button button-primary sidebar-add"
        aria-keyshortcuts="n"
        onClick={() => open({ name: 'addTask' })}
      >
        <Icon name="plus" />
        <span className="sidebar-label">Add Task</span>
      </button>
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
