import { useGoToView, useShownView } from '../state/dashboard-state.tsx'
import { isSidebarSelection } from '../state/dashboard-store.ts'
import { useDueCounts } from '../tasks/use-due-counts.ts'
import { Icon } from '../ui/icon.tsx'
import { type View, type ViewName, viewNames, views } from '../views/views.ts'
import '../views/view-choice.css'

const lists = viewNames.filter(isSidebarSelection)
const isQuiet = (name: ViewName) => (views[name] as View).isQuiet === true
const others = viewNames.filter((name) => !isSidebarSelection(name) && !isQuiet(name))

export const SidebarViews = () => (
  <>
    <Group label="Lists" names={lists} />
    <Group label="More views" names={others} />
    <Group label="Deleted tasks and notes" names={viewNames.filter(isQuiet)} isQuiet />
  </>
)

function Group({ label, names, isQuiet }: { label: string; names: ViewName[]; isQuiet?: boolean }) {
  const shown = useShownView()
  const goTo = useGoToView()
  return (
    <nav aria-label={label} className="view-choice choices stack" data-quiet={isQuiet}>
      {names.map((name) => {
        const { label, icon, key } = views[name]
        return (
          <button
            key={name}
            type="button"
            className="row soft"
            aria-current={name === shown}
            aria-keyshortcuts={key}
            data-key={key}
            onClick={() => goTo(name)}
          >
            <Icon name={icon} />
            <span className="sidebar-label">{label}</span>
            {name === 'today' && <TodayCounts />}
          </button>
        )
      })}
    </nav>
  )
}

/** Style sheets write the numbers, so that the button keeps its name. */
function TodayCounts() {
  const { overdue, today } = useDueCounts()
  return (
    <span className="view-counts small" aria-hidden="true">
      {overdue > 0 && <span className="view-overdue" data-count={overdue} />}
      {today > 0 && <span data-count={today} />}
    </span>
  )
}
