import { useChunk } from '../../ui/use-chunk.ts'
import type { DraftOfferProps } from './unsent-texts.tsx'

export const loadUnsentTexts = () => import('./unsent-texts.tsx')

/** The offer of an earlier draft, loaded if there is one. */
export function LaterDraftOffer(props: DraftOfferProps) {
  const [loaded] = useChunk(loadUnsentTexts, props.offered !== undefined)
  return typeof loaded === 'object' && <loaded.DraftOffer {...props} />
}
