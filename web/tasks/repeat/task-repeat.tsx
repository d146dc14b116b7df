import type { Task } from '#contract/tasks.ts'
import { repeats } from '../../changes/changes.ts'
import { useDashboard } from '../../state/dashboard-state.tsx'
import { useToday } from '../../ui/civil-day.ts'
import { useLocale } from '../../ui/locale.ts'
import { useChunk } from '../../ui/use-chunk.ts'

/** Loads the code of repeats, and lets changes use it. */
export async function loadTools() {
  const tools = await import('./repeat-tools.ts')
  Object.assign(repeats, tools.changes)
  return tools
}

/** A sign that a task repeats, with its rule in words once they have loaded, and its earlier occurrences. `isLine`: without the rule. */
export function TaskRepeat({ task, isLine = false }: { task: Task; isLine?: boolean }) {
  const { repeat, repeatFrom, title } = task
  const [today, locale] = [useToday(), useLocale()]
  const [loaded] = useChunk(loadTools, repeat !== null)
  const open = useDashboard((state) => state.open)
  const words =
    repeat !== null && typeof loaded === 'object'
      ? loaded.ruleText(repeat, repeatFrom, { today, locale })
      : 'Repeats'
  return (
    <span className="task-repeat">
      {repeat !== null && !isLine && (
        <>
          <span aria-hidden="true">↻</span> <span className="task-rule">{words}</span>{' '}
        </>
      )}
      <button
        type="button"
        className="link-button"
        data-action="earlier"
        aria-label={`Earlier: ${title || 'Untitled'}`}
        onClick={() => open({ name: 'earlier', task })}
      >
        Earlier
      </button>
    </span>
  )
}
