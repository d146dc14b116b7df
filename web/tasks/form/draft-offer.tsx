import { useEffect } from 'react'
import type { KeptDraft } from '../../engine/kept/unsent-storage.ts'
import { nameOf } from '../../engine/unsent-names.ts'
import { useEngine } from '../../state/use-engine.tsx'
import { Choice } from '../card/choices-at-item.tsx'
import { Quoted } from '../sentence.tsx'
import './draft-offer.css'

type DraftOfferProps = {
  offered: KeptDraft | undefined
  restore: (draft: KeptDraft) => void
  discard: (draft: KeptDraft) => void
}

export function DraftOffer({ offered, restore, discard }: DraftOfferProps) {
  const { formDrafts } = useEngine()
  useEffect(() => {
    if (!offered?.isWanted) return
    const { key, isWanted, ...draft } = offered
    formDrafts.keep(key, draft)
    restore({ ...draft, key })
  })
  if (!offered || offered.isWanted) return
  return (
    <div className="draft-offer row wraps targets soft small">
      <p>
        Unfinished: <Quoted>{nameOf(offered)}</Quoted>
      </p>
      <Choice label="Restore" onChoose={() => restore(offered)} />
      <Choice label="Discard" onChoose={() => discard(offered)} />
    </div>
  )
}
