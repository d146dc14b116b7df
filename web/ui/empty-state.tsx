import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import './empty-state.css'

export const EmptyState = ({ children, below }: { children: ReactNode; below?: ReactNode }) => (
  <div className="empty-state stack airy soft">
    <svg viewBox="0 0 160 104" aria-hidden="true">
      <path className="empty-state-lit" d="M80 10v40l20-20Z" />
      <path d="M80 10 60 30l20 20 20-20ZM80 10v72M10 82h140M34 90h22M98 90h34M66 98h26" />
    </svg>
    <p>{children}</p>
    {below}
  </div>
)

export const Lesson = ({ text, example, onTry }: { text: string; example: string; onTry: () => void }) => (
  <div className="lesson stack small">
    <p>{text}</p>
    <Button className="lesson-example" onClick={onTry}>
      {example}
    </Button>
  </div>
)
