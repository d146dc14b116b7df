import { daysAfter } from '#contract/days.ts'
import type { Task } from '#contract/tasks.ts'
import { TaskCard } from '../tasks/card/task-card.tsx'
import { Brand } from '../ui/brand.tsx'
import { useToday } from '../ui/civil-day.ts'
import { Icon } from '../ui/icon.tsx'
import { views } from '../views/views.ts'
import '../tasks/list/list-panel.css'
import '../tasks/card/task-body.css'
import '../tasks/list/task-group.css'
import '../views/view-choice.css'
import './miniature.css'

type Sample = Pick<Task, 'title' | 'body' | 'priority'>

const overdue: Sample = { title: 'Return the library books', priority: 'medium', body: '' }
const dueToday: Sample[] = [
  {
    title: 'Sign the lease',
    priority: 'high',
    body: 'Page 4 needs initials.\nAsk about the keys.',
  },
  { title: 'Book the ferry for Sunday', priority: 'medium', body: '' },
  { title: 'Water the tomatoes', priority: 'low', body: 'Not the basil.' },
]

/** The day of the prerendered HTML, until the page knows the visitor's own. */
const prerenderedDay = '2026-11-21'

/** A picture of the dashboard made of its real parts, in the visitor's theme and on the visitor's day; inert. */
export function Miniature() {
  const today = useToday() || prerenderedDay
  return (
    <figure className="miniature">
      <figcaption className="visually-hidden">
        The dashboard: one overdue task, then the three that are due today, each with its priority.
      </figcaption>
      <div className="miniature-window edged" inert>
        <div className="miniature-side">
          <Brand />
          <span className="button button-primary">
            <Icon name="plus" />
            Add Task
          </span>
          <ul className="view-choice choices stack">
            {Object.values(views).map(({ icon, label }) => (
              <li key={label} className="row soft" aria-current={label === 'Today'}>
                <Icon name={icon} />
                {label}
              </li>
            ))}
          </ul>
        </div>
        <div className="miniature-main">
          <p className="panel-head wraps panel-title title">Today’s Tasks</p>
          <p className="group-head wraps group-label">Overdue</p>
          <div className="task-list">
            <SampleCard sample={overdue} dueDate={daysAfter(today, -1)} today={today} />
          </div>
          <p className="group-head wraps group-label">Today</p>
          <ul className="task-list">
            {dueToday.map((sample) => (
              <li key={sample.title}>
                <SampleCard sample={sample} dueDate={today} today={today} />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </figure>
  )
}

function SampleCard({ sample, dueDate, today }: { sample: Sample; dueDate: string; today: string }) {
  // Without a time zone, so that the prerendered HTML and hydration format the same day.
  const createdAt = `${daysAfter(today, -4)}T12:00`
  const task = { ...sample, _id: sample.title, createdAt, dueDate, doneAt: null }
  const body = (
    <div className="task-body soft">
      <p>{sample.body}</p>
    </div>
  )
  return (
    <TaskCard
      task={task}
      title={sample.title}
      body={sample.body && body}
      today={today}
      day={dueDate}
      heading="h3"
    />
  )
}
