import { useDashboard, useGoToView } from '../state/dashboard-state.tsx'
import { isSidebarSelection, shownView } from '../state/dashboard-store.ts'
import { Icon } from '../ui/icon.tsx'
import { type ViewName, viewNames, views } from '../views/views.ts'
import '../views/view-choice.css'

const lists = viewNames.filter(isSidebarSelection)
const others = viewNames.filter((name) => !isSidebarSelection(name))

/** The specified lists, then the other views in a navigation of their own. */
export const ViewButtons = () => (
  <>
    <Group label="Lists" names={lists} />
    {others.length > 0 && <Group label="More views" names={others} />}
  </>
)

function Group({ label, names }: { label: string; names: ViewName[] }) {
  const shown = useDashboard(shownView)
  const goTo = useGoToView()
  return (
    <nav aria-label={label} className="view-choice">
      {names.map((name) => {
        const { label, icon, key } = views[name]
        return (
          <button
            key={name}
            type="button"
            aria-current={name === shown}
            aria-keyshortcuts={key}
            data-key={key}
            onClick={() => goTo(name)}
          >
            <Icon name={icon} />
            <span className="sidebar-label">{label}</span>
          </button>
        )
      })}
    </nav>
  )
}
