import { type MouseEvent, useEffect } from 'react'
import { type KeptDraft, keepDraft, nameOf } from '../kept/form-drafts.ts'
import './draft-offer.css'

export type DraftOfferProps = {
  offered: KeptDraft | undefined
  restore: (draft: KeptDraft) => void
  discard: (draft: KeptDraft) => void
}

/** A line in a form that offers its earlier draft. */
export function DraftOffer({ offered, restore, discard }: DraftOfferProps) {
  useEffect(() => {
    if (!offered?.isWanted) return
    const { key, isWanted, ...draft } = offered
    keepDraft(key, draft)
    restore({ ...draft, key })
  })
  if (!offered || offered.isWanted) return
  // The button goes, so the focus moves to the form's first field.
  const then = (act: (draft: KeptDraft) => void) => (event: MouseEvent<HTMLButtonElement>) => {
    // The second click of a double click would choose for the draft that has moved here.
    if (event.detail > 1) return
    const { form } = event.currentTarget
    act(offered)
    form?.querySelector('input')?.focus()
  }
  return (
    <div className="draft-offer">
      <p>
        Unfinished: “<bdi>{nameOf(offered)}</bdi>”
      </p>
      <button type="button" className="link-button" onClick={then(restore)}>
        Restore
      </button>
      <button type="button" className="link-button" onClick={then(discard)}>
        Discard
      </button>
    </div>
  )
}
