import type { ReactNode } from 'react'
import './notice.css'

/** Says in place, and to screen readers, what went wrong and what can be done about it. */
export const Notice = ({ children }: { children: ReactNode }) => (
  <div className="notice" role="alert">
    {children}
  </div>
)
