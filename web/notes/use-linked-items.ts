import { useState } from 'react'
import { complete, reopen } from '../engine/verbs/complete.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { useEngine } from '../state/use-engine.tsx'
import { watchPresses } from '../ui/watch-presses.ts'
import { createLinkedItems, fetchItem } from './markdown/linked-items.ts'
import type { ItemAddress } from './markdown/note-address.ts'
import { useGoToNote } from './use-go-to-note.ts'

export function useLinkedItems() {
  const { store } = useEngine()
  const [linked] = useState(() => createLinkedItems(store))
  return linked
}

export function useOpenItem() {
  const goToNote = useGoToNote()
  const open = useDashboard((state) => state.open)
  const { store } = useEngine()
  return async (address: ItemAddress) => {
    const { kind, id } = address
    if (kind === 'note') return goToNote(id)
    const isBusyElsewhere = watchPresses()
    if (!store.task(id)) await fetchItem(store, address).catch(console.error)
    const task = store.task(id)
    if (!isBusyElsewhere() && task?.deletedAt === null) open({ name: 'editTask', task })
  }
}

export function useTickTask(onFailure: (reason: string | undefined) => void) {
  const { attempt } = useEngine().changes
  return async ({ id: _id }: ItemAddress, done: boolean) => {
    onFailure(undefined)
    const [notStored] = await attempt([(done ? complete : reopen).make({ _id })])
    const sentence = done ? 'The task was not completed.' : 'The task was not reopened.'
    if (notStored) onFailure(`${sentence} ${notStored.error.message}`)
  }
}
