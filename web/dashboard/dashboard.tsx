import { LatestPanel } from '../tasks/latest-panel.tsx'
import { PriorityPanel } from '../tasks/priority-panel.tsx'
import { TodayPanel } from '../tasks/today-panel.tsx'
import { useSlice } from './dashboard-state.tsx'
import { DashboardLayout } from './layout.tsx'

const panels = { today: TodayPanel, latest: LatestPanel, priority: PriorityPanel }

/** The route of its own chunk: nothing of it is loaded on the public pages. */
export default function Dashboard() {
  return (
    <DashboardLayout>
      <SelectedPanel />
    </DashboardLayout>
  )
}

function SelectedPanel() {
  const [selection] = useSlice('sidebarSelection')
  const Panel = panels[selection]
  return <Panel />
}
