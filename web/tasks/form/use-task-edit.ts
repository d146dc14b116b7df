import { useEffect, useState } from 'react'
import type { Task } from '#contract/tasks.ts'
import type { FieldName } from './form-values.ts'
import type { KeptValue, merge as Merge } from './task-clash.tsx'
import type { TaskFormState } from './use-task-form.ts'

/** `theirs`: the newer version that saving has met. `clashes`: the fields without a choice. */
type Edit = { base: Task; theirs?: Task; clashes: FieldName[] }

/** A newer version is the next base only when every clash is decided, so that pressing Save twice overwrites nothing unseen. */
export function useTaskEdit(task: Task, form: TaskFormState) {
  const [{ base, theirs, clashes }, setEdit] = useState<Edit>({ base: task, clashes: [] })
  const [decided, setDecided] = useState<{ field: FieldName }>()

  useEffect(() => {
    const control = (name = '') => form.ref.current?.elements.namedItem(name) as HTMLInputElement | null
    const own = control(decided?.field)
    ;(own?.disabled ? control('isUndated') : own)?.focus()
  }, [decided, form.ref])

  function meet(newer: Task, merge: typeof Merge) {
    const { values, clashes } = merge(base, form.values(), newer)
    form.fill(values)
    setEdit({ base: rebased(base, newer, clashes), theirs: newer, clashes })
  }

  function decide(field: FieldName, kept: KeptValue) {
    if (!theirs) return
    if (kept === 'theirs') form.fill({ [field]: theirs[field] })
    if (kept === 'both') form.fill({ [field]: `${form.shown[field]}\n\n${theirs[field]}` })
    setDecided({ field })
    const left = clashes.filter((other) => other !== field)
    setEdit((edit) => ({ ...edit, base: rebased(base, theirs, left), clashes: left }))
  }

  const startFrom = (base: Task) => setEdit({ base, clashes: [] })

  return { base, theirs, clashes, meet, decide, startFrom }
}

/** The newer version. While fields clash, these fields and the version number stay those of the edited task. */
function rebased(base: Task, newer: Task, clashes: FieldName[]): Task {
  const undecided = Object.fromEntries(clashes.map((field) => [field, base[field]]))
  return { ...newer, ...undecided, version: clashes.length > 0 ? base.version : newer.version }
}
