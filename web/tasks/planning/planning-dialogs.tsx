import type { PlanningOverlay } from '../../state/dashboard-store.ts'
import { EarlierDialog } from '../repeat/earlier-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { PriorityMenu } from './priority-menu.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { TagDialog } from './tag-dialog.tsx'

/** The dialogs that are loaded when the first of them is opened. */
export default function PlanningDialogs({ overlay }: { overlay: PlanningOverlay }) {
  if (overlay.name === 'moveTask') return <MoveDialog {...overlay} />
  if (overlay.name === 'priority') return <PriorityMenu {...overlay} />
  if (overlay.name === 'tag') return <TagDialog {...overlay} />
  if (overlay.name === 'earlier') return <EarlierDialog {...overlay} />
  return <ReviewDialog />
}
