import { type InputEvent, type ReactNode, useState } from 'react'
import { rest } from '../../parts/parts.ts'
import { useLoaded } from '../../ui/use-part.ts'
import type { TextField } from './tag-list.tsx'

/** Completes the tags that are typed into the text field in it. If the list could not be loaded, the next letter tries again. */
export function TagCompletion({ children }: { children: ReactNode }) {
  const [field, setField] = useState<TextField>()
  const loaded = useLoaded(rest, false)
  function look({ target }: InputEvent) {
    if (!(target as TextField).value.includes('#')) return
    setField(target as TextField)
    rest.want()
  }
  return (
    <div className="contents" onInput={look}>
      {children}
      {field && loaded && <loaded.TagList field={field} />}
    </div>
  )
}
