import type { Task } from '#contract/tasks.ts'
import { repeats } from '../../changes/changes.ts'
import { useToday } from '../../ui/civil-day.ts'
import { useLocale } from '../../ui/locale.ts'
import { useChunk } from '../../ui/use-chunk.ts'

/** Loads the code of repeats, and lets changes use it. */
export async function loadTools() {
  const tools = await import('./repeat-tools.ts')
  Object.assign(repeats, tools.changes)
  return tools
}

/** A sign that a task repeats, with its rule in words once they have loaded. */
export function TaskRepeat({ repeat, repeatFrom }: Pick<Task, 'repeat' | 'repeatFrom'>) {
  const [today, locale] = [useToday(), useLocale()]
  const [loaded] = useChunk(loadTools, true)
  const words =
    repeat !== null && typeof loaded === 'object'
      ? loaded.ruleText(repeat, repeatFrom, { today, locale })
      : 'Repeats'
  return (
    <span>
      <span aria-hidden="true">↻</span> {words}
    </span>
  )
}
