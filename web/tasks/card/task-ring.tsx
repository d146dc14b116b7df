import type { Priority } from '#contract/task-fields.ts'
import { labelFor, offered } from '../../engine/verbs/verb.ts'
import './task-ring.css'

type TaskRingProps = {
  title: string
  priority: Priority
  isTicked: boolean
  onTick?: (() => void) | undefined
}

/** The checkbox that completes a task, or brings a completed one back. */
export const TaskRing = ({ title, priority, isTicked, onTick }: TaskRingProps) => (
  <input
    type="checkbox"
    className="task-ring"
    data-shape={priority}
    data-action="complete"
    aria-label={labelFor(offered.complete, title)}
    checked={isTicked}
    onChange={() => onTick?.()}
  />
)
