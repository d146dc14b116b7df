import { formatCivil, formatWeekday } from '../../ui/civil-day.ts'
import { useLocale } from '../../ui/use-locale.ts'
import { useShowTask } from '../use-show-task.ts'
import type { Coming } from './occurrences.ts'
import { joinedTexts } from './rule-text.ts'
import './repeat.css'

const mostShown = 30

/** `isOneDay`: the heading above says the day. */
export function ComingTasks({ coming, isOneDay }: { coming: readonly Coming[]; isOneDay: boolean }) {
  const locale = useLocale()
  const showTask = useShowTask()
  const tasks = [...Map.groupBy(coming, ({ task }) => task)]
  const others = tasks.length - mostShown
  return (
    <ul className="coming-tasks wraps soft small">
      {tasks.slice(0, mostShown).map(([task, days]) => {
        const title = task.title || 'Untitled'
        const named = joinedTexts(days.map(({ day }) => formatWeekday(day, locale)))
        return (
          <li key={task._id} className="row">
            <button
              type="button"
              className="row tight"
              aria-label={`${title} comes again on ${named}. Show the task.`}
              onClick={() => showTask(task)}
            >
              <span aria-hidden="true">↻</span>
              <bdi>{title}</bdi>
              {!isOneDay && <span>{shortDays(days, locale)}</span>}
            </button>
          </li>
        )
      })}
      {others > 0 && (
        <li className="row">{`${others} more ${others === 1 ? 'task comes' : 'tasks come'} again.`}</li>
      )}
    </ul>
  )
}

const mostNamed = 3

const shortDays = (days: readonly Coming[], locale: string) =>
  days.length > mostNamed
    ? `${days.length} days`
    : days.map(({ day }) => formatCivil(day, locale, { weekday: 'short' })).join(', ')
