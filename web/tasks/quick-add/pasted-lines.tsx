import { type MouseEvent, useEffect, useEffectEvent, useState } from 'react'
import type { StoreApi } from 'zustand/vanilla'
import { changesPerGroup, titleLength } from '#contract/limits.ts'
import type { TaskValues } from '#contract/tasks.ts'
import type { NewChange } from '../../engine/entry.ts'
import type { QuickLines } from '../../engine/quick-lines.ts'
import { add as addTask } from '../../engine/verbs/add-edit.ts'
import { useDashboard } from '../../state/dashboard-state.tsx'
import { useEngine } from '../../state/use-engine.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { countTasks, Quoted } from '../sentence.tsx'
import { isTableOrNested, pastedLines } from './pasted-text.ts'

type PastedLinesProps = {
  pasted: NonNullable<QuickLines['pasted']>
  read: (line: string) => TaskValues
  lines: StoreApi<QuickLines>
}

export function PastedLines({ pasted, read, lines: store }: PastedLinesProps) {
  const [{ lines, isOneOnly, body }] = useState(() => pastedLines(pasted.text))
  const { changes, unsent } = useEngine()
  const openDialog = useDashboard((state) => state.open)
  const preview = useEffectEvent(() => {
    if (!isTableOrNested(pasted.text)) return
    // It stays there until it is added or cancelled.
    openDialog({ name: 'importFiles', text: pasted.text })
    forget()
  })
  useEffect(() => preview(), [])
  const add = (tasks: () => NewChange[]) => async (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget
    // The first line is the newest.
    const notKept = await changes.make(tasks().toReversed(), { isKept: true })
    if (notKept.length === 0) leave(button)
  }
  function leave({ form }: HTMLButtonElement) {
    // The button goes.
    form?.querySelector('input')?.focus()
    forget()
  }
  function forget() {
    if (pasted.key) unsent.drop(pasted.key)
    store.setState({ pasted: undefined })
  }

  const many = () =>
    lines.map(({ id, text, isDone }) => addTask.make(id, { ...read(text), ...(isDone && { done: true }) }))
  const one = () => lines.slice(0, 1).map(({ id, text }) => addTask.make(id, { ...read(text), body }))
  return (
    <div className="pasted-lines row wraps words targets small">
      <p role="status" className="one-line">
        {lines.length} lines pasted: <Quoted>{lines[0]?.text}</Quoted> …
        {isOneOnly &&
          ` Up to ${changesPerGroup} lines of ${titleLength.max} characters can be tasks of their own.`}
      </p>
      {!isOneOnly && (
        <LinkButton data-offer onClick={add(many)}>
          Add {countTasks(lines.length)}
        </LinkButton>
      )}
      <LinkButton data-offer onClick={add(one)}>
        One task with a body
      </LinkButton>
      <LinkButton onClick={(event) => leave(event.currentTarget)}>Discard</LinkButton>
    </div>
  )
}
