import type { ReactNode } from 'react'
import type { AtItem } from '../../engine/changes.ts'
import { useEngine, useJournal } from '../../state/use-engine.tsx'
import { useChunk } from '../../ui/use-chunk.ts'

const loadChoices = () => import('./choices-at-item.tsx')

type TaskFailureProps = { failure: AtItem; children?: ReactNode }

export function TaskFailure({ failure: { text, mutation }, children }: TaskFailureProps) {
  const { rejectedEntry } = useEngine().changes
  const entry = useJournal(() => rejectedEntry(mutation))
  const [loaded] = useChunk(loadChoices, entry !== undefined)
  return (
    <p className="task-failure" role="status">
      {text} {children}
      {entry && loaded && loaded !== 'failed' && <loaded.ChoicesAtItem entry={entry} />}
    </p>
  )
}
