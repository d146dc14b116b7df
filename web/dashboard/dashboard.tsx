import { useDashboard } from '../state/dashboard-state.tsx'
import { shownView } from '../state/dashboard-store.ts'
import { ListPanel } from '../tasks/list-panel.tsx'
import { views } from '../views/views.ts'
import { DashboardLayout } from './layout.tsx'

/** Loaded as a chunk of its own, so that the public pages load none of it. */
export default function Dashboard() {
  return (
    <DashboardLayout>
      <ShownPanel />
    </DashboardLayout>
  )
}

function ShownPanel() {
  const name = useDashboard(shownView)
  return name && <ListPanel key={name} view={views[name]} />
}
