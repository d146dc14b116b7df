import { useState } from 'react'
import { defaultPriority, priorities } from '#contract/lists.ts'
import type { Priority } from '#contract/task-fields.ts'
import { useDashboard } from '../../state/dashboard-state.tsx'
import { slices } from '../../state/dashboard-store.ts'
import { useEngine, useStored } from '../../state/use-engine.tsx'
import { Mark } from '../../ui/brand.tsx'
import { formatTime, useDayContext, useTimeHere } from '../../ui/civil-day.ts'
import type { TaskView, View } from '../../views/views.ts'
import { hasPassed } from '../card/task-card.tsx'
import { QuickAdd } from '../quick-add/quick-add.tsx'
import { useDoneToday, useDueCounts } from '../use-due-counts.ts'
import { Panel } from './panel.tsx'
import { TaskList } from './task-list.tsx'
import { useSessionCheck } from './use-session-check.ts'
import './panel-tools.css'

export function ListPanel({ view }: { view: TaskView }) {
  useSessionCheck()
  const { today, locale } = useDayContext()
  const { title, lead, quickAdd } = view
  const priorityTab = useDashboard(slices.priorityTab)
  const isToday = 'groups' in view && view.groups === 'overdue'
  return (
    <Panel
      title={title}
      lead={
        <>
          {typeof lead === 'string' ? lead : lead(today, locale)}
          {isToday && <NextTask />}
        </>
      }
      tools={isToday && <Horizon />}
    >
      {quickAdd && <QuickAdd {...quickAdd} priority={'tabs' in view ? priorityTab : defaultPriority} />}
      {'tabs' in view ? <PriorityTabs {...view} /> : <TaskList {...view} />}
    </Panel>
  )
}

function NextTask() {
  const { today, locale } = useDayContext()
  const now = useTimeHere()
  const next = useStored((store) =>
    store
      .list('today', today)
      .find((task) => task.dueDate === today && task.dueTime !== null && !hasPassed(task, today, now)),
  )
  if (!next?.dueTime) return
  return (
    <>
      {' · '}Next at {formatTime(next.dueTime, locale)}: <bdi>{next.title}</bdi>
    </>
  )
}

/** In percent: how much of the mark is below the line after the first task. The rest is seen at once. */
const belowAtFirst = 70

/** The mark rises above its line with the share of the day's tasks that are done. */
function Horizon() {
  const done = useDoneToday()
  const { overdue, today } = useDueCounts()
  const left = overdue + today
  const all = left + done
  const words = `${done} of ${all} done today`
  return (
    <div className="horizon soft small" title={words}>
      {done > 0 && (
        <>
          <span className="visually-hidden">{words}</span>
          <span aria-hidden="true">
            {done} of {all}
          </span>
        </>
      )}
      <span className="horizon-mark" style={{ translate: `0 ${done ? (belowAtFirst * left) / all : 100}%` }}>
        <Mark />
      </span>
    </div>
  )
}

/** Choosing a priority clears the displayed list, then loads its tasks. */
function PriorityTabs({ tabs, failedToOpen, emptyText, lesson }: Extract<View, { tabs: unknown }>) {
  const { fetched } = useEngine()
  const active = useDashboard(slices.priorityTab)
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
      <fieldset className="tabs choices">
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
