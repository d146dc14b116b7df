import type { ReactNode } from 'react'
import { problemFrom } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { useLocale } from '../ui/use-locale.ts'
import './access.css'

type AccessProps = {
  name: string
  isHere?: boolean
  /** What is known of its days. */
  children: ReactNode
  action: string
  label: string
  /** Without it, there is no button. */
  onEnd: (() => void) | undefined
}

/** A session, a token or a device in its list, with the button that ends it. */
export const Access = ({ name, isHere = false, children, action, label, onEnd }: AccessProps) => (
  <li>
    <div>
      <bdi className="session-name">{name}</bdi>
      {isHere && <span className="session-here">This browser</span>}
      <p className="session-times">{children}</p>
    </div>
    {onEnd && (
      <Button aria-label={label} onClick={onEnd}>
        {action}
      </Button>
    )}
  </li>
)

/** Returns the function that formats the day of an instant. */
export function useDays(): (instant: string) => string {
  const day = new Intl.DateTimeFormat(useLocale(), { dateStyle: 'medium', numberingSystem: 'latn' })
  return (instant) => day.format(new Date(instant))
}

/** What has ended meanwhile, as an answer with this code says, is no failure. */
export const unlessEnded = (code: string) => (error: unknown) => {
  if (problemFrom(error)?.problem.code !== code) throw error
}
