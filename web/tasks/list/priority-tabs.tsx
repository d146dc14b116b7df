import { useState } from 'react'
import { priorities } from '#contract/lists.ts'
import type { Priority } from '#contract/task-fields.ts'
import { useDashboard, useSlice } from '../../state/dashboard-state.tsx'
import { useEngine } from '../../state/use-engine.tsx'
import type { View } from '../../views/views.ts'
import { TaskList } from './task-list.tsx'
import './priority-tabs.css'

/** High, Medium and Low. Choosing one clears the displayed list, then loads that priority's tasks. */
export function PriorityTabs({ tabs, failedToOpen, emptyText, lesson }: Extract<View, { tabs: unknown }>) {
  const { fetched } = useEngine()
  const active = useSlice('priorityTab')
  const choosePriority = useDashboard((state) => state.choosePriority)
  const [choices, setChoices] = useState(0)

  function choose(priority: Priority) {
    fetched.forget(priority)
    choosePriority(priority)
    setChoices(choices + 1)
  }

  const { toasts } = tabs[active]
  return (
    <>
      <fieldset className="tabs">
        <legend className="visually-hidden">Priority</legend>
        {priorities.map((priority) => (
          <button
            key={priority}
            type="button"
            aria-pressed={priority === active}
            onClick={() => choose(priority)}
          >
            {tabs[priority].label}
          </button>
        ))}
      </fieldset>
      <TaskList
        key={choices}
        list={active}
        emptyText={emptyText}
        lesson={lesson}
        isCleared={choices > 0}
        toasts={choices === 0 ? { ...toasts, failed: failedToOpen } : toasts}
      />
    </>
  )
}
