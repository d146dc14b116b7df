import type { Task } from '#contract/tasks.ts'
import type { DeletedItem } from '../../state/dashboard-store.ts'

/** A deleted task as the dialog that removes it for good takes it. */
export const deletedTask = ({ _id: id, title, deletedAt }: Task): DeletedItem => ({
  ...{ kind: 'task', id, title, deletedAt },
})
