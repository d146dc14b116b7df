import type { ReactNode } from 'react'
import type { Task } from '#contract/tasks.ts'
import type { Engine } from '../engine/engine.ts'
import type { NewChange } from '../engine/entry.ts'
import { isTask } from '../engine/store/item-rules.ts'
import type { Store } from '../engine/store/store.ts'
import type { Notice, Step } from '../engine/undo-history.ts'
import { useEngine, useStored } from '../state/use-engine.tsx'
import { LinkButton } from '../ui/button.tsx'

type RepeatOfferProps = {
  notice: Notice | undefined
  /** In place of making the offered change. */
  onTake?: (change: NewChange) => unknown
  children?: ReactNode
}

export function RepeatOffer({ notice, onTake, children }: RepeatOfferProps) {
  const engine = useEngine()
  const isOffered = useStored(() => offerOf(notice, engine) !== undefined)
  if (!isOffered) return null
  return (
    <>
      {children}
      <LinkButton
        onClick={({ detail }) => {
          const change = detail < 2 && offerOf(notice, engine)
          if (change) onTake ? onTake(change) : void engine.changes.make([change])
        }}
      >
        {notice?.steps[0].verb === 'delete' ? 'Only this one' : 'Also due today: keep it'}
      </LinkButton>
    </>
  )
}

function offerOf(notice: Notice | undefined, { store, repeats }: Engine): NewChange | undefined {
  const task = repeatOf(notice, store)
  if (!task) return
  return notice?.steps[0].verb === 'delete' ? repeats.skipThis?.(task) : repeats.keepToday?.(store, task)
}

/** The repeated task that the notice is about. If several were completed, the newest. */
export function repeatOf(notice: Notice | undefined, store: Store): Task | undefined {
  if (notice?.about !== 'done') return
  const { verb, item } = notice.steps.at(-1) as Step
  const isIt = verb === 'complete' || (verb === 'delete' && notice.steps.length === 1)
  const found = isIt && item !== undefined && store.current(item)
  return found && isTask(found) && found.repeat !== null ? found : undefined
}
