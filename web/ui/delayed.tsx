import { type ReactNode, useEffect, useState } from 'react'

/** Renders its children after 200 ms, so that a quick answer causes no flash. */
export function Delayed({ children }: { children: ReactNode }) {
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), 200)
    return () => clearTimeout(timer)
  }, [])
  return due ? children : null
}
