import { useChanges } from '../changes/changes.ts'
import { complete } from '../changes/complete.tsx'
import { reopen } from '../changes/reopen.tsx'
import type { ItemAddress } from './markdown/note-address.ts'

/** Completes the task that a note links to, or reopens it; links show the same state as the lists. */
export function useTickTask(onFailure: (reason: string | undefined) => void) {
  const { attempt } = useChanges()
  return async ({ id: _id }: ItemAddress, done: boolean) => {
    onFailure(undefined)
    const [notStored] = await attempt([done ? complete({ _id }) : reopen({ _id })])
    const sentence = done ? 'The task was not completed.' : 'The task was not reopened.'
    if (notStored) onFailure(`${sentence} ${notStored.error.message}`)
  }
}
