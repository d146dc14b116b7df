import { type ComponentProps, useState } from 'react'
import { isDueBefore } from '../../engine/store/item-rules.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useDueCounts } from '../use-due-counts.ts'
import { ListEnd } from './list-states.tsx'
import { TaskGroup } from './task-group.tsx'
import { useListRows } from './use-rows.ts'
import { useTaskList } from './use-task-list.ts'
import './earlier-tasks.css'

const labels = { overdue: 'Overdue', today: 'Today' }
type EarlierList = keyof typeof labels

export function EarlierTasks({ today }: { today: string }) {
  const counts = useDueCounts()
  const [open, setOpen] = useState<EarlierList>()
  const shown = (['overdue', 'today'] as const).filter((which) => counts[which] > 0 || which === open)
  if (shown.length === 0) return
  return (
    <div className="earlier">
      {shown.map((which) => (
        <div key={which}>
          <EarlierLine
            data-which={which}
            label={labels[which]}
            count={counts[which]}
            aria-expanded={which === open}
            onClick={() => setOpen(which === open ? undefined : which)}
          />
          {which === open && <OpenTasks which={which} today={today} />}
        </div>
      ))}
    </div>
  )
}

type EarlierLineProps = ComponentProps<'button'> & { label: string; count: number }

export const EarlierLine = ({ label, count, ...props }: EarlierLineProps) => (
  <Button className="earlier-line wraps hovers" {...props}>
    <span className="group-label">{label}</span>
    <span className="group-count soft small">{count || ''}</span>
    <Icon name="back" />
  </Button>
)

function OpenTasks({ which, today }: { which: EarlierList; today: string }) {
  const { tasks, error, failedMore, hasMore, loadMore } = useTaskList('today', today)
  const { rows, around } = useListRows(tasks)
  const isOverdue = which === 'overdue'
  return (
    <div data-list {...around}>
      {error && <p className="task-failure">These tasks could not be loaded. {error.message}</p>}
      <TaskGroup
        rows={rows.filter(({ place }) => isDueBefore(place, today) === isOverdue)}
        day={isOverdue ? undefined : today}
        today={today}
      />
      <ListEnd hasMore={hasMore} failed={failedMore} onReached={loadMore} />
    </div>
  )
}
