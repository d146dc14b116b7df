import type { ReactNode } from 'react'
import './notice.css'

export const Notice = ({ children }: { children: ReactNode }) => (
  <div className="notice edged stack" role="alert">
    {children}
  </div>
)

export const QuietNotice = ({ children }: { children: ReactNode }) => (
  <div className="notice edged stack notice-quiet" role="status">
    {children}
  </div>
)
