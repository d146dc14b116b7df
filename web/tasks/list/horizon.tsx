import { Mark } from '../../ui/brand.tsx'
import { useDoneToday } from '../done-today.ts'
import { useDueCounts } from '../due-counts.ts'
import './horizon.css'

/** In percent: how far the first task raises the mark at least, so that it is seen. */
const firstRise = 30

/** The line below the title, over which the mark rises with the share of the day's tasks that are done. */
export function Horizon() {
  const done = useDoneToday()
  const { overdue, today } = useDueCounts()
  const all = done + overdue + today
  const risen = done === 0 ? 0 : firstRise + ((100 - firstRise) * done) / all
  const words = `${done} of ${all} done today`
  return (
    <div className="horizon" title={words}>
      {done > 0 && <span className="visually-hidden">{words}</span>}
      <span className="horizon-mark" style={{ translate: `0 ${100 - risen}%` }}>
        <Mark />
      </span>
    </div>
  )
}
