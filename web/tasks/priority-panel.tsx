import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type PriorityTab, useSlice } from '../dashboard/dashboard-state.tsx'
import { Panel } from './panel.tsx'
import { taskListQuery } from './task-api.ts'
import { TaskList } from './task-list.tsx'
import { taskLists } from './task-lists.ts'
import { useSessionCheck } from './use-session-check.ts'

const tabs: { tab: PriorityTab; label: string }[] = [
  { tab: 'high', label: 'High' },
  { tab: 'medium', label: 'Medium' },
  { tab: 'low', label: 'Low' },
]

export function PriorityPanel() {
  useSessionCheck()
  const queryClient = useQueryClient()
  const [active, setActive] = useSlice('priorityTab')
  const [choices, setChoices] = useState(0)

  function choose(tab: PriorityTab) {
    queryClient.removeQueries({ queryKey: taskListQuery(tab).queryKey })
    setActive(tab)
    setChoices(choices + 1)
  }

  return (
    <Panel title="Mark the urgent" lead="One priority at a time, soonest due first">
      <fieldset className="tabs">
        <legend className="visually-hidden">Priority</legend>
        {tabs.map(({ tab, label }) => (
          <button key={tab} type="button" aria-pressed={tab === active} onClick={() => choose(tab)}>
            {label}
          </button>
        ))}
      </fieldset>
      <TaskList
        key={choices}
        list={active}
        emptyText="No tasks found"
        failedText={choices === 0 ? 'Cannot get priority tasks' : taskLists[active].failed}
      />
    </Panel>
  )
}
