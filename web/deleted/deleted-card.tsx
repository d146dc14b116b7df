import { memo, useId } from 'react'
import { Link } from 'react-router'
import { keptFor } from '#contract/limits.ts'
import type { Item } from '../engine/entry.ts'
import { isNote, isTask } from '../engine/store/item-rules.ts'
import { ofNote, restore as restoreVerb } from '../engine/verbs/complete.ts'
import { labelFor } from '../engine/verbs/verb.ts'
import { plainText, shownTitle } from '../notes/markdown/plain-text.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { useEngine, useFailure } from '../state/use-engine.tsx'
import { TaskBody } from '../tasks/card/task-body.tsx'
import { PriorityBadge } from '../tasks/card/task-card.tsx'
import { TaskFailure } from '../tasks/card/task-failure.tsx'
import { TaskGap } from '../tasks/card/task-gap.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { dayOfInstant, formatDay } from '../ui/civil-day.ts'
import { dropSecondClick } from '../ui/drop-second-click.ts'
import { useLocale } from '../ui/use-locale.ts'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import { notePath } from '../views/note-path.ts'
import './deleted-card.css'

type DeletedCardProps = { item: Item; gap: number | undefined; today: string }

export const DeletedCard = memo(({ item, gap, today }: DeletedCardProps) => {
  const id = useId()
  const locale = useLocale()
  const open = useDashboard((state) => state.open)
  const failure = useFailure(item._id)
  const { make } = useEngine().changes
  const [restore] = useOneAtATime(async () =>
    isTask(item)
      ? make([restoreVerb.make(item)])
      : make([restoreVerb.make(item, ofNote(shownTitle(item.title)))], { isKept: true }),
  )
  if (gap !== undefined) return <TaskGap height={gap} />
  const title = isTask(item) ? item.title : shownTitle(item.title)
  const deletedOn = dayOfInstant(item.deletedAt ?? item.createdAt)
  return (
    <li onClickCapture={dropSecondClick}>
      <article className="task-card deleted-item" aria-labelledby={id} data-task={item._id} tabIndex={-1}>
        <h2 id={id} className="task-title" dir="auto">
          {isTask(item) ? title : <Link to={notePath(item._id)}>{title}</Link>}
        </h2>
        {isTask(item)
          ? item.body !== '' && <TaskBody body={item.body} />
          : isNote(item) &&
            item.snippet !== '' && (
              <p className="task-body soft" dir="auto">
                {plainText(item.snippet)}
              </p>
            )}
        <div className="task-facts wraps soft small">
          {isTask(item) ? <PriorityBadge priority={item.priority} /> : <span>Note</span>}
          <span>
            Deleted{' '}
            <time dateTime={deletedOn} dir="auto">
              {formatDay(deletedOn, today, locale)}
            </time>
            , {whenGone(deletedOn, today)}
          </span>
        </div>
        <div className="task-actions">
          <Button
            className="button button-quiet button-small"
            data-action={restoreVerb.name}
            aria-label={labelFor(restoreVerb, title)}
            onClick={() => restore()}
          >
            {restoreVerb.label}
          </Button>
          <IconButton
            icon="delete"
            data-action="delete"
            title="Delete for good"
            label={`Delete ${title} for good`}
            onClick={() => open({ name: 'deleteForGood', item: { ...item, title }, andEarlier: false })}
          />
        </div>
        {failure && <TaskFailure failure={failure} />}
      </article>
    </li>
  )
})

function whenGone(deletedOn: string, today: string): string {
  const days = (Date.parse(deletedOn) + keptFor - Date.parse(today)) / 86_400_000
  if (days <= 0) return 'gone today'
  return days === 1 ? 'gone tomorrow' : `gone in ${days} days`
}
