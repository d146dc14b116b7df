import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../api/client.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { createLinkedItems } from './linked-items.ts'
import type { ItemAddress } from './markdown/note-address.ts'
import { notePath } from './note-path.ts'

/** The titles of what the open note links to. */
export function useLinkedItems() {
  const queryClient = useQueryClient()
  const [linked] = useState(() => createLinkedItems(queryClient))
  useEffect(() => linked.follow(), [linked])
  return linked
}

/** Opens a linked note, or the box of a linked task. */
export function useOpenItem() {
  const navigate = useNavigate()
  const open = useDashboard((state) => state.open)
  return async ({ kind, id }: ItemAddress) => {
    if (kind === 'note') return navigate(notePath(id))
    const { data } = await call('GET /tasks/:id', { params: { id } }).catch(() => ({ data: undefined }))
    if (data && data.task.deletedAt === null) open({ name: 'editTask', task: data.task })
  }
}
