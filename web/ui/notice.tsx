import type { ReactNode } from 'react'
import './notice.css'

/** An error message that stays in place and is announced to screen readers. */
export const Notice = ({ children }: { children: ReactNode }) => (
  <div className="notice edged stack" role="alert">
    {children}
  </div>
)

/** A message that is no error. */
export const QuietNotice = ({ children }: { children: ReactNode }) => (
  <div className="notice edged stack notice-quiet" role="status">
    {children}
  </div>
)
