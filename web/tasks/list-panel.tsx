import { useToday } from '../ui/civil-day.ts'
import { useLocale } from '../ui/locale.ts'
import type { View } from '../views/views.ts'
import { PriorityTabs } from './priority-tabs.tsx'
import { TaskList } from './task-list.tsx'
import { useSessionCheck } from './use-session-check.ts'
import './list-panel.css'

/** A view in the main area: its title, a line about it, and its list or lists. */
export function ListPanel({ view }: { view: View }) {
  useSessionCheck()
  const today = useToday()
  const locale = useLocale()
  const { title, lead } = view
  return (
    <section className="panel" aria-labelledby="panel-title">
      <h1 id="panel-title" className="panel-title" tabIndex={-1}>
        {title}
      </h1>
      <p className="panel-lead">{typeof lead === 'string' ? lead : lead(today, locale)}</p>
      {'tabs' in view ? <PriorityTabs {...view} /> : <TaskList {...view} />}
    </section>
  )
}
