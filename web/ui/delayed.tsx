import { type ReactNode, useEffect, useState } from 'react'

/** Shows nothing for the first 200 ms, so that what is quick does not flash. */
export function Delayed({ children }: { children: ReactNode }) {
  const [due, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), 200)
    return () => clearTimeout(timer)
  }, [])
  return due ? children : null
}
