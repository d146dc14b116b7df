import { useStore } from 'zustand'
import type { Task } from '#contract/tasks.ts'
import { useDashboard } from '../../state/dashboard-state.tsx'
import { useEngine } from '../../state/use-engine.tsx'
import { useToday } from '../../ui/civil-day.ts'
import { useLocale } from '../../ui/locale.ts'
import { useChunk } from '../../ui/use-chunk.ts'

export const loadTools = () => import('./repeat-tools.ts')

/** A sign that a task repeats, with its rule in words once they have loaded. */
export function RepeatRule({ task: { repeat, repeatFrom } }: { task: Task }) {
  const [today, locale] = [useToday(), useLocale()]
  const [loaded] = useChunk(loadTools, repeat !== null)
  if (repeat === null) return null
  const words =
    typeof loaded === 'object' ? loaded.ruleText(repeat, repeatFrom, { today, locale }) : 'Repeats'
  return (
    <>
      <span aria-hidden="true">↻</span> <span className="task-rule">{words}</span>{' '}
    </>
  )
}

/** The rule of a task that repeats, and its earlier occurrences if there are any. `isLine`: without the rule. */
export function TaskRepeat({ task, isLine = false }: { task: Task; isLine?: boolean }) {
  const today = useToday()
  const [loaded] = useChunk(loadTools, true)
  const open = useDashboard((state) => state.open)
  const isSkipped = useStore(useEngine().history, ({ undo }) =>
    undo.some(({ verb, item }) => verb === 'skip' && item === task._id),
  )
  const hasEarlier = isSkipped || (typeof loaded === 'object' && loaded.hasEarlier(task, today))
  return (
    <span className="task-repeat">
      {!isLine && <RepeatRule task={task} />}
      {hasEarlier && (
        <button
          type="button"
          className="link-button"
          data-action="earlier"
          aria-label={`Earlier: ${task.title || 'Untitled'}`}
          onClick={() => open({ name: 'earlier', task })}
        >
          Earlier
        </button>
      )}
    </span>
  )
}
