import type { ReactNode } from 'react'

export const EmptyState = ({ children }: { children: ReactNode }) => (
  <div className="empty-state">
    <svg viewBox="0 0 160 100" aria-hidden="true">
      <path d="M10 84h140M80 84V52M80 16l18 18-18 18-18-18Z" />
    </svg>
    <p>{children}</p>
  </div>
)
