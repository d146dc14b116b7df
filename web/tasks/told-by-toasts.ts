import type { Verb } from '../engine/entry.ts'
import { failureText } from '../engine/store/change-errors.ts'
import { verbs } from '../engine/verbs/verbs.ts'
import { dashboardToast } from '../ui/toasts.tsx'

export async function toldByToasts(verb: Verb, outcome: Promise<void>) {
  const { toasts } = verbs[verb].said
  try {
    await outcome
  } catch (error) {
    if (toasts) dashboardToast.error(toasts.explains ? failureText(toasts.failed, error) : toasts.failed)
    throw error
  }
  if (toasts) dashboardToast.success(toasts.done)
}
