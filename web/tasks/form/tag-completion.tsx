import { type ComponentType, type InputEvent, type ReactNode, useState } from 'react'
import type { TextField } from './tag-list.tsx'

let loaded: ComponentType<{ field: TextField }> | undefined

/** Completes the tags that are typed into the text field in it. The list is a chunk that the first `#` loads. */
export function TagCompletion({ children }: { children: ReactNode }) {
  const [field, setField] = useState<TextField>()
  async function load({ target }: InputEvent) {
    if (field || !(target as TextField).value.includes('#')) return
    try {
      loaded ??= (await import('./tag-list.tsx')).TagList
      setField(target as TextField)
    } catch (error) {
      // Tags are then not completed; the next letter tries again.
      console.error(error)
    }
  }
  const TagList = loaded
  return (
    <div className="contents" onInput={load}>
      {children}
      {field && TagList && <TagList field={field} />}
    </div>
  )
}
