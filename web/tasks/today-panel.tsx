import { Panel } from './panel.tsx'
import { TaskList } from './task-list.tsx'
import { useSessionCheck } from './use-session-check.ts'

export function TodayPanel() {
  useSessionCheck()
  return (
    <Panel title="Today's Tasks">
      <TaskList list="today" emptyText="No tasks for today" />
    </Panel>
  )
}
