import { EarlierDialog } from '../repeat/earlier-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { PriorityMenu } from './priority-menu.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { TagDialog } from './tag-dialog.tsx'

/** The dialogs of one chunk, because each takes bytes of the first load, under the names of their overlays. */
export default {
  earlier: EarlierDialog,
  moveTask: MoveDialog,
  priority: PriorityMenu,
  review: ReviewDialog,
  tag: TagDialog,
}
