import { Mark } from '../../ui/brand.tsx'
import { useDoneToday } from '../done-today.ts'
import { useDueCounts } from '../due-counts.ts'
import './horizon.css'

/** The line below the title, over which the mark rises with the share of the day's tasks that are done. */
export function Horizon() {
  const done = useDoneToday()
  const { overdue, today } = useDueCounts()
  const all = done + overdue + today
  const words = `${done} of ${all} done today`
  return (
    <div className="horizon" title={words}>
      {done > 0 && <span className="visually-hidden">{words}</span>}
      <span
        className="horizon-mark"
        style={{ translate: `0 ${all === 0 ? 100 : 100 - (100 * done) / all}%` }}
      >
        <Mark />
      </span>
    </div>
  )
}
