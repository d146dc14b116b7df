import { Brand } from '../ui/brand.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Calendar } from './calendar.tsx'
import { type SidebarSelection, useSlice } from './dashboard-state.tsx'

const lists: { selection: SidebarSelection; label: string; icon: IconName; shortcut: string }[] = [
  { selection: 'today', label: 'Today', icon: 'today', shortcut: '1' },
  { selection: 'latest', label: 'Latest', icon: 'latest', shortcut: '2' },
  { selection: 'priority', label: 'Priority', icon: 'priority', shortcut: '3' },
]

type SidebarProps = { collapsed: boolean; onCollapse: () => void; onDone: () => void }

/** Add Task, the three lists and the month; a column from 992 px up, a drawer below. */
export function Sidebar({ collapsed, onCollapse, onDone }: SidebarProps) {
  const [selected, select] = useSlice('sidebarSelection')
  const [, setAddTaskBoxActive] = useSlice('addTaskBoxActive')

  return (
    <aside className="sidebar" aria-label="Sidebar">
      <div className="sidebar-head">
        <Brand />
        <button
          type="button"
          className="icon-button sidebar-toggle"
          aria-label={collapsed ? 'Expand sidebar' : 'Collapse sidebar'}
          aria-expanded={!collapsed}
          onClick={onCollapse}
        >
          <Icon name="sidebar" />
        </button>
        <button type="button" className="icon-button drawer-close" aria-label="Close menu" onClick={onDone}>
          <Icon name="close" />
        </button>
      </div>
      <button
        type="button"
        className="button button-primary sidebar-add"
        aria-keyshortcuts="n"
        onClick={() => {
          onDone()
          setAddTaskBoxActive(true)
        }}
      >
        <Icon name="plus" />
        <span className="sidebar-label">Add Task</span>
      </button>
      <nav aria-label="Lists" className="list-choice">
        {lists.map(({ selection, label, icon, shortcut }) => (
          <button
            key={selection}
            type="button"
            aria-current={selection === selected}
            aria-keyshortcuts={shortcut}
            data-key={shortcut}
            onClick={() => {
              onDone()
              select(selection)
            }}
          >
            <Icon name={icon} />
            <span className="sidebar-label">{label}</span>
          </button>
        ))}
      </nav>
      <Calendar />
    </aside>
  )
}
