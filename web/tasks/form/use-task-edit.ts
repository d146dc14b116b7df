import { type RefObject, useState } from 'react'
import type { Task } from '#contract/tasks.ts'
import { fillIn, offSwitch } from './fill-in.ts'
import type { KeptValue, merge as Merge } from './task-clash.tsx'
import { type FieldName, taskValuesOf } from './task-form.tsx'

/** If saving met a newer version, `theirs` is that version, and `clashes` are the fields in which a choice is missing. */
type Edit = { base: Task; theirs?: Task; clashes: FieldName[] }

/**
 * The version that is being edited, and the merge when saving meets a newer one. The newer version is the base of the
 * next attempt only when every clash has been decided, so that pressing Save twice overwrites nothing unseen.
 */
export function useTaskEdit(task: Task, form: RefObject<HTMLFormElement | null>) {
  const [{ base, theirs, clashes }, setEdit] = useState<Edit>({ base: task, clashes: [] })

  function meet(newer: Task, merge: typeof Merge) {
    if (!form.current) return
    const typed = taskValuesOf(form.current)
    const { values, clashes } = merge(base, typed, newer)
    fillIn(form.current, values)
    setEdit({ base: rebased(base, newer, clashes), theirs: newer, clashes })
  }

  function decide(field: FieldName, kept: KeptValue) {
    if (!form.current || !theirs) return
    const control = form.current.elements.namedItem(field) as HTMLInputElement
    if (kept === 'theirs') fillIn(form.current, { [field]: theirs[field] })
    if (kept === 'both') control.value += `\n\n${theirs[field]}`
    control.dispatchEvent(new Event('input', { bubbles: true }))
    const off = offSwitch(form.current, field)
    ;(off?.checked ? off : control).focus()
    const left = clashes.filter((other) => other !== field)
    setEdit((edit) => ({ ...edit, base: rebased(base, theirs, left), clashes: left }))
  }

  /** Goes back to the version that a restored draft was typed over. */
  const startFrom = (base: Task) => setEdit({ base, clashes: [] })

  return { base, theirs, clashes, meet, decide, startFrom }
}

/** The newer version, but with the clashing fields as in the edited one, and its number as long as there are any. */
function rebased(base: Task, newer: Task, clashes: FieldName[]): Task {
  const undecided = Object.fromEntries(clashes.map((field) => [field, base[field]]))
  return { ...newer, ...undecided, version: clashes.length > 0 ? base.version : newer.version }
}
