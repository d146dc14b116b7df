import { Mark } from '../../ui/brand.tsx'
import { useDoneToday, useDueCounts } from '../due-counts.ts'
import './horizon.css'

/** In percent: how much of the mark is below the line after the first task. The rest is seen at once. */
const belowAtFirst = 70

/** The line below the title, over which the mark rises with the share of the day's tasks that are done. */
export function Horizon() {
  const done = useDoneToday()
  const { overdue, today } = useDueCounts()
  const left = overdue + today
  const all = left + done
  const words = `${done} of ${all} done today`
  return (
    <div className="horizon" title={words}>
      {done > 0 && (
        <>
          <span className="visually-hidden">{words}</span>
          <span aria-hidden="true">
            {done} of {all}
          </span>
        </>
      )}
      <span className="horizon-mark" style={{ translate: `0 ${done ? (belowAtFirst * left) / all : 100}%` }}>
        <Mark />
      </span>
    </div>
  )
}
