import { Panel } from './panel.tsx'
import { TaskList } from './task-list.tsx'
import { useSessionCheck } from './use-session-check.ts'

export function LatestPanel() {
  useSessionCheck()
  return (
    <Panel title="Recent" lead="Everything, newest first">
      <TaskList list="latest" emptyText="No tasks found" />
    </Panel>
  )
}
