// One chunk, because each takes bytes of the first load, with each dialog under the name of its overlay.
export { EarlierDialog as earlier } from '../repeat/earlier-dialog.tsx'
export { MoveDialog as moveTask } from './move-dialog.tsx'
export { PriorityMenu as priority } from './priority-menu.tsx'
export { ReviewDialog as review } from './review-dialog.tsx'
export { TagDialog as tag } from './tag-dialog.tsx'
