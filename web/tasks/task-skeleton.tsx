import './task-skeleton.css'

/** Where the cards will be, while they take longer than a moment. */
export const TaskSkeleton = () => (
  <div className="skeleton" role="status" aria-label="Loading tasks">
    <div className="skeleton-card" />
    <div className="skeleton-card" />
    <div className="skeleton-card" />
  </div>
)
