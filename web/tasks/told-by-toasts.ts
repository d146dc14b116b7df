import type { Verb } from '../engine/entry.ts'
import { sentencesOf } from '../engine/verbs/verbs.ts'
import { dashboardToast } from '../ui/toasts.tsx'

/** Shows the specified toast about the outcome of a call, and returns the outcome. */
export async function toldByToasts(verb: Verb, outcome: Promise<void>) {
  const { toasts } = sentencesOf[verb]
  try {
    await outcome
  } catch (error) {
    if (toasts) dashboardToast.error(toasts.failed(error))
    throw error
  }
  if (toasts) dashboardToast.success(toasts.done)
}
