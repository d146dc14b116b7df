import { useStore } from 'zustand'
import type { Task } from '#contract/tasks.ts'
import { rest } from '../../parts/parts.ts'
import { useDashboard } from '../../state/dashboard-state.tsx'
import { useEngine, useStored } from '../../state/use-engine.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { useDayContext, useToday } from '../../ui/civil-day.ts'
import { useLoaded } from '../../ui/use-part.ts'
import type { Coming } from './occurrences.ts'

export function RepeatRule({ task: { repeat, repeatFrom } }: { task: Task }) {
  const { today, locale } = useDayContext()
  const loaded = useLoaded(rest, repeat !== null)
  if (repeat === null) return null
  const words = loaded?.ruleText(repeat, repeatFrom, { today, locale }) ?? 'Repeats'
  return (
    <>
      <span aria-hidden="true">↻</span> <span className="task-rule">{words}</span>{' '}
    </>
  )
}

export function TaskRepeat({ task, isLine = false }: { task: Task; isLine?: boolean }) {
  const today = useToday()
  const loaded = useLoaded(rest)
  const open = useDashboard((state) => state.open)
  const isSkipped = useStore(useEngine().history, ({ undo }) =>
    undo.some(({ verb, item }) => verb === 'skip' && item === task._id),
  )
  const hasEarlier = isSkipped || loaded?.hasEarlier(task, today)
  return (
    <span className="task-repeat">
      {!isLine && <RepeatRule task={task} />}
      {hasEarlier && (
        <LinkButton
          data-action="earlier"
          aria-label={`Earlier: ${task.title || 'Untitled'}`}
          onClick={() => open({ name: 'earlier', task })}
        >
          Earlier
        </LinkButton>
      )}
    </span>
  )
}

const none: readonly [] = []

/** The days on which open tasks come again, once the code of repeats has loaded. They are shown, and counted nowhere. */
export function useComing(isWanted = true): readonly Coming[] {
  const today = useToday()
  const tasks = useStored((store) => store.repeats())
  const hasAny = isWanted && tasks.length > 0
  const loaded = useLoaded(rest, hasAny)
  return hasAny && loaded && today ? loaded.comingOf(tasks, today) : none
}
