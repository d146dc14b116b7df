import { useChunk } from '../../ui/use-chunk.ts'
import type { DraftOfferProps } from './draft-offer.tsx'

export const loadUnsentTexts = () => import('./unsent-texts.ts')

/** The offer of an earlier draft, loaded if there is one. */
export function LaterDraftOffer(props: DraftOfferProps) {
  const [loaded] = useChunk(loadUnsentTexts, props.offered !== undefined)
  return typeof loaded === 'object' && <loaded.DraftOffer {...props} />
}
