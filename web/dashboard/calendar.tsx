import { useCallback, useState } from 'react'
import { Month } from '../tasks/planning/month.tsx'

/** The month of the sidebar. Selecting a day is local and filters nothing (specification section 2). */
export function Calendar() {
  const [selected, select] = useState<string>()
  const toggle = useCallback((day: string) => select((before) => (before === day ? undefined : day)), [])
  return <Month selected={selected} onSelect={toggle} />
}
