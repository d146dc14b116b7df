import { useToday, weekdayInWords } from '../ui/civil-day.ts'
import { useLocale } from '../ui/locale.ts'
import { Panel } from './panel.tsx'
import { TaskList } from './task-list.tsx'
import { useSessionCheck } from './use-session-check.ts'

export function TodayPanel() {
  useSessionCheck()
  const today = useToday()
  const locale = useLocale()
  return (
    <Panel title="Today's Tasks" lead={today && weekdayInWords(today, locale)}>
      <TaskList list="today" emptyText="No tasks for today" />
    </Panel>
  )
}
