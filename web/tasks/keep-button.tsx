import { useState } from 'react'
import type { NewChange } from '../engine/entry.ts'
import type { Journal } from '../engine/journal/journal.ts'
import { isUnreachable } from '../engine/store/change-errors.ts'
import { useEngine } from '../state/use-engine.tsx'
import { LinkButton } from '../ui/button.tsx'

export type KeepButtonProps = {
  error: Error | undefined
  /** Undefined if the values are not valid. */
  entry: () => [change: NewChange, options?: Parameters<Journal['make']>[1]] | undefined
  onKept?: () => void
}

export function KeepButton({ error, entry, onKept }: KeepButtonProps) {
  const { make } = useEngine().changes
  const [refusal, setRefusal] = useState<Error>()
  if (!isUnreachable(error)) return
  async function keep() {
    const [change, options] = entry() ?? []
    if (!change) return
    const [refused] = await make([change], { ...options, isKept: true })
    setRefusal(refused?.error)
    if (!refused) onKept?.()
  }
  return (
    <>
      <LinkButton onClick={keep}>Keep and send later</LinkButton>
      {refusal && <span> {refusal.message}</span>}
    </>
  )
}
