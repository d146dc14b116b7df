// The chunk for texts that were not sent: one, because each chunk takes bytes of the first load.
export { DraftOffer } from './draft-offer.tsx'
export { UnsentLines } from './unsent-lines.tsx'
