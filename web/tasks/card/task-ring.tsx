import './task-ring.css'

type TaskRingProps = { title: string; isTicked: boolean; onTick?: (() => void) | undefined }

/** The checkbox that completes a task, or brings a completed one back. */
export const TaskRing = ({ title, isTicked, onTick }: TaskRingProps) => (
  <input
    type="checkbox"
    className="task-ring"
    data-action="complete"
    aria-label={`Complete ${title}`}
    checked={isTicked}
    onChange={() => onTick?.()}
  />
)
