import './task-skeleton.css'

/** Placeholders for the cards while the list is loading. */
export const TaskSkeleton = () => (
  <div className="skeleton" role="status" aria-label="Loading tasks">
    <div className="skeleton-card" />
    <div className="skeleton-card" />
    <div className="skeleton-card" />
  </div>
)
