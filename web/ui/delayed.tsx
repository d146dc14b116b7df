import { type ReactNode, useEffect, useState } from 'react'

/** Delayed, so that a quick answer causes no flash. */
export const Delayed = ({ children }: { children: ReactNode }) => (useIsOver(true, 200) ? children : null)

export function useIsOver(is: boolean, milliseconds: number): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (!is) return
    const timer = setTimeout(() => setOver(true), milliseconds)
    return () => {
      clearTimeout(timer)
      setOver(false)
    }
  }, [is, milliseconds])
  return isOver
}
