import { Delayed } from '../../ui/delayed.tsx'
import './task-skeleton.css'

/** Placeholders for the cards while the list is loading. */
export const TaskSkeleton = () => (
  <Delayed>
    <div className="skeleton" role="status" aria-label="Loading tasks">
      <div className="skeleton-card" />
      <div className="skeleton-card" />
      <div className="skeleton-card" />
    </div>
  </Delayed>
)
