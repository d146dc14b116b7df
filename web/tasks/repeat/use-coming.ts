import { useStored } from '../../state/use-engine.tsx'
import { useToday } from '../../ui/civil-day.ts'
import { useChunk } from '../../ui/use-chunk.ts'
import type { Coming } from './coming-repeats.ts'
import { loadRepeatTools } from './task-repeat.tsx'

const none: readonly [] = []

/** The days on which open tasks come again, once the code of repeats has loaded. They are shown, and counted nowhere. */
export function useComing(isWanted = true): readonly Coming[] {
  const today = useToday()
  const tasks = useStored((store) => store.repeats())
  const [tools] = useChunk(loadRepeatTools, isWanted && tasks.length > 0)
  return isWanted && typeof tools === 'object' && today ? tools.comingOf(tasks, today) : none
}
