import type { ReactNode } from 'react'
import type { AtItem } from '../../engine/changes.ts'
import { rest } from '../../parts/parts.ts'
import { useEngine, useJournal } from '../../state/use-engine.tsx'
import { useLoaded } from '../../ui/use-part.ts'

type TaskFailureProps = { failure: AtItem; children?: ReactNode }

export function TaskFailure({ failure: { text, mutation }, children }: TaskFailureProps) {
  const { rejectedEntry } = useEngine().changes
  const entry = useJournal(() => rejectedEntry(mutation))
  const loaded = useLoaded(rest, entry !== undefined)
  return (
    <p className="task-failure" role="status">
      {text} {children}
      {entry && loaded && <loaded.ChoicesAtItem entry={entry} />}
    </p>
  )
}
