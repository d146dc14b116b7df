import type { PlanningOverlay } from '../../state/dashboard-store.ts'
import { DeleteForGoodDialog } from '../deleted/delete-for-good-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { ReviewDialog } from './review-dialog.tsx'

/** The dialogs that are loaded when the first of them is opened. */
export default function PlanningDialogs({ overlay }: { overlay: PlanningOverlay }) {
  if (overlay.name === 'deleteForGood') return <DeleteForGoodDialog {...overlay} />
  if (overlay.name === 'moveTask') return <MoveDialog {...overlay} />
  return <ReviewDialog />
}
