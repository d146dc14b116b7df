import { defaultPriority } from '#contract/lists.ts'
import { useSlice } from '../../state/dashboard-state.tsx'
import { useToday } from '../../ui/civil-day.ts'
import { useLocale } from '../../ui/locale.ts'
import type { TaskView } from '../../views/views.ts'
import { QuickAdd } from '../quick-add/quick-add.tsx'
import { Horizon } from './horizon.tsx'
import { NextTask } from './next-task.tsx'
import { PriorityTabs } from './priority-tabs.tsx'
import { TaskList } from './task-list.tsx'
import { useSessionCheck } from './use-session-check.ts'
import './list-panel.css'

/** A view in the main area, with its title, a line about it, the quick line, and its list or lists. */
export function ListPanel({ view }: { view: TaskView }) {
  useSessionCheck()
  const today = useToday()
  const locale = useLocale()
  const { title, lead, quickAdd } = view
  const priorityTab = useSlice('priorityTab')
  const isToday = 'groups' in view && view.groups === 'overdue'
  return (
    <section className="panel" aria-labelledby="panel-title">
      <header className="panel-head">
        <h1 id="panel-title" className="panel-title" tabIndex={-1}>
          {title}
        </h1>
        <p className="panel-lead">
          {typeof lead === 'string' ? lead : lead(today, locale)}
          {isToday && <NextTask />}
        </p>
        {isToday && <Horizon />}
      </header>
      {quickAdd && <QuickAdd {...quickAdd} priority={'tabs' in view ? priorityTab : defaultPriority} />}
      {'tabs' in view ? <PriorityTabs {...view} /> : <TaskList {...view} />}
    </section>
  )
}
