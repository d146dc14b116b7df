import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../api/client.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { storeOf } from '../store/use-store.ts'
import { watchPresses } from '../ui/watch-presses.ts'
import { createLinkedItems } from './markdown/linked-items.ts'
import type { ItemAddress } from './markdown/note-address.ts'
import { notePath } from './note-path.ts'

/** The titles of the items to which the open note links. */
export function useLinkedItems() {
  const queryClient = useQueryClient()
  const [linked] = useState(() => createLinkedItems(queryClient))
  return linked
}

/** Opens a linked note, or the box of a linked task. */
export function useOpenItem() {
  const navigate = useNavigate()
  const open = useDashboard((state) => state.open)
  const store = storeOf(useQueryClient())
  const fetchTask = async (id: string) =>
    store.put({ tasks: [(await call('GET /tasks/:id', { params: { id } })).data.task] })
  return async ({ kind, id }: ItemAddress) => {
    if (kind === 'note') return navigate(notePath(id))
    const isBusyElsewhere = watchPresses()
    if (!store.task(id)) await fetchTask(id).catch(console.error)
    const task = store.task(id)
    if (!isBusyElsewhere() && task?.deletedAt === null) open({ name: 'editTask', task })
  }
}
