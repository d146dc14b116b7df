import { useLayoutEffect, useRef, useState } from 'react'
import type { Task } from '#contract/tasks.ts'
import { itemId } from '../../engine/entry.ts'
import type { KeptDraft } from '../../engine/kept/unsent-storage.ts'
import { withoutDraft } from '../../engine/quick-lines.ts'
import { useEngine } from '../../state/use-engine.tsx'
import { type FormValues, isEdited, isEqual } from './form-values.ts'
import type { TaskFormState } from './use-task-form.ts'

type DraftOptions = {
  place: string
  /** Each opening has a separate draft, so that two tabs do not overwrite each other's. */
  isOpen: boolean
  form: TaskFormState
  base?: Task
}

/** Values are kept until they are saved or discarded. A draft that was kept before the form was opened is offered. */
export function useDraft({ place, isOpen, form, base }: DraftOptions) {
  const { formDrafts, unsent } = useEngine()
  const own = useRef<string>(undefined)
  const sent = useRef<string>(undefined)
  const [offered, setOffered] = useState<KeptDraft[]>([])

  useLayoutEffect(() => {
    if (!isOpen) return
    own.current = formDrafts.newKey(place)
    setOffered(formDrafts.all(place))
  }, [isOpen, place, formDrafts])

  const drop = () => own.current && unsent.drop(own.current)

  function keep() {
    if (!own.current) return
    const values = form.values()
    const isTyped = base ? isEdited(base, values) : Object.values(values).some((value) => value)
    if (isTyped) formDrafts.keep(own.current, { values, ...(base && { base }), at: Date.now() })
    else drop()
  }

  /** The replaced values become the offered draft. */
  function restore(draft: KeptDraft) {
    form.fill(draft.values)
    const typed = formDrafts.all(place).filter(({ key }) => key === own.current)
    own.current = draft.key
    setOffered((all) => [...withoutDraft(all, draft), ...typed])
  }

  function discard(draft: KeptDraft) {
    unsent.drop(draft.key)
    setOffered((all) => withoutDraft(all, draft))
  }

  return {
    offered: offered[0],
    keep,
    drop,
    /** Returns the draft of these values, which are sent now, and the id of their addition. */
    sending(values: FormValues) {
      sent.current = own.current
      return { key: own.current, id: idOf(own.current, JSON.stringify(values)) }
    },
    restore,
    discard,
    /** Removes the sent draft, or keeps it if sending failed. Later typing gets a separate draft. */
    answered(values: FormValues, isStored: boolean, sentKey = sent.current) {
      const fresh = formDrafts.newKey(place)
      const kept = formDrafts.all(place).find((draft) => draft.key === sentKey)
      if (own.current === sentKey) own.current = fresh
      if (!kept) return
      const { key, ...typed } = kept
      if (isStored) discard(kept)
      if (isEqual(typed.values, values)) return
      if (!isStored) formDrafts.keep(key, { ...typed, values })
      if (fresh) formDrafts.keep(fresh, typed)
    },
    takeBack() {
      own.current = sent.current
    },
  }
}

/**
 * Sent as `Idempotency-Key`: the same draft with the same text has the same id, so that its task is added once. Edited text has
 * another id, because the server does not compare texts.
 */
function idOf(key: string | undefined, typed: string): string {
  const id = key?.slice(key.lastIndexOf(' ') + 1) ?? itemId(Date.now())
  const end = (Number.parseInt(id.slice(-8), 16) ^ hashOf(typed)) >>> 0
  return id.slice(0, -8) + end.toString(16).padStart(8, '0')
}

/** FNV-1a of the UTF-16 code units. `crypto.subtle` does not exist on pages that are served over plain HTTP. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}
