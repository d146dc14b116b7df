import { useDashboard, useGoToView, useSearchText } from '../state/dashboard-state.tsx'
import { shownView, sidebarSelections } from '../state/dashboard-store.ts'
import { Icon } from '../ui/icon.tsx'
import { views } from '../views/views.ts'
import './phone-bar.css'

/** The lists and a new task within reach of the thumb; on a phone alone, where the sidebar is a drawer. */
export function PhoneBar() {
  const view = useDashboard(shownView)
  const shown = useSearchText() === undefined ? view : undefined
  const goTo = useGoToView()
  const open = useDashboard((state) => state.open)
  return (
    <nav aria-label="Bottom bar" className="phone-bar">
      {sidebarSelections.map((name) => (
        <button
          key={name}
          type="button"
          aria-label={`Show ${views[name].label}`}
          aria-current={name === shown}
          onClick={() => goTo(name)}
        >
          <Icon name={views[name].icon} />
          {views[name].label}
        </button>
      ))}
      <button type="button" aria-label="New task" onClick={() => open({ name: 'addTask' })}>
        <Icon name="plus" />
        New
      </button>
    </nav>
  )
}
