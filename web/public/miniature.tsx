import type { Task } from '#contract/tasks.ts'
import { TaskCard } from '../tasks/task-card.tsx'
import { Brand } from '../ui/brand.tsx'
import { Icon } from '../ui/icon.tsx'
import { views } from '../views/views.ts'
import '../tasks/list-panel.css'
import '../tasks/task-group.css'
import '../views/view-choice.css'
import './miniature.css'

const sample = (
  _id: string,
  title: string,
  priority: Task['priority'],
  dueDate: string,
  body = '',
): Task => ({
  _id,
  title,
  body,
  dueDate,
  priority,
  version: 1,
  doneAt: null,
  deletedAt: null,
  // Without a time zone, so that the prerendered HTML and hydration format the same day.
  createdAt: '2026-11-17T12:00',
})

const overdue = sample('1', 'Return the library books', 'medium', '2026-11-20')
const today = [
  sample(
    '2',
    'Sign the lease',
    'high',
    '2026-11-21',
    'Page 4 needs initials.\nAsk when the keys are handed over.',
  ),
  sample('3', 'Book the ferry for Sunday', 'medium', '2026-11-21'),
  sample('4', 'Water the tomatoes', 'low', '2026-11-21', 'Not the basil, it had some yesterday.'),
]

/** A picture of the dashboard made of its real parts, in the visitor's theme; inert. */
export const Miniature = () => (
  <figure className="miniature">
    <figcaption className="visually-hidden">
      The dashboard: one overdue task, then the three that are due today, each with its priority.
    </figcaption>
    <div className="miniature-window" inert>
      <div className="miniature-side">
        <Brand />
        <span className="button button-primary">
          <Icon name="plus" />
          Add Task
        </span>
        <ul className="view-choice">
          {Object.values(views).map(({ icon, label }) => (
            <li key={label} aria-current={label === 'Today'}>
              <Icon name={icon} />
              {label}
            </li>
          ))}
        </ul>
      </div>
      <div className="miniature-main">
        <p className="panel-title">Today’s Tasks</p>
        <p className="group-label">Overdue</p>
        <TaskCard task={overdue} overdue heading="h3" />
        <p className="group-label">Today</p>
        <div className="task-list">
          {today.map((task) => (
            <TaskCard key={task._id} task={task} overdue={false} heading="h3" />
          ))}
        </div>
      </div>
    </div>
  </figure>
)
