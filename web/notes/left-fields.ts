import { storedValue } from '../api/session.ts'
import type { Engine } from '../engine/engine.ts'
import { onceFor } from '../engine/sync/once-for.ts'
import type { CaretPlace, FieldState } from './editor/note-text-field.ts'

export type LeftFields = ReturnType<typeof leftFieldsOf>

const mostLeft = 10

/** The states of the fields that were left last. Caret places survive a reload, for this tab and its user. */
export const leftFieldsOf = onceFor(({ needs: { account, isOver, tab } }: Engine) => {
  const key = `places ${account}`
  const fields = new Map<string, FieldState>()
  for (const [id, place] of storedValue<[string, CaretPlace][]>(tab, key) ?? []) fields.set(id, place)

  return {
    get: (id: string) => fields.get(id),
    add(id: string, state: FieldState) {
      fields.delete(id)
      fields.set(id, state)
      const [oldest] = fields.keys()
      if (fields.size > mostLeft && oldest !== undefined) fields.delete(oldest)
    },
    /** Keeps the places for a reload. */
    keepPlaces() {
      if (isOver()) return
      const places = [...fields].map(([id, { anchor, head, scrollTop }]) => [id, { anchor, head, scrollTop }])
      try {
        tab.setItem(key, JSON.stringify(places))
      } catch {
        // The storage is full: the places last as long as the page.
        tab.removeItem(key)
      }
    },
  }
})
