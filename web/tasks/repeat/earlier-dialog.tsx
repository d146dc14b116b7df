import { useEffect, useRef, useState } from 'react'
import type { Call } from '#contract/api.ts'
import { timeHere } from '#contract/days.ts'
import type { Task } from '#contract/tasks.ts'
import { call } from '../../api/page-client.ts'
import { useEngine, useFetched, useStored } from '../../state/use-engine.tsx'
import { Button } from '../../ui/button.tsx'
import { dayOfInstant, formatTime, useDayContext } from '../../ui/civil-day.ts'
import { formatDayOfYear } from '../../ui/day-headings.ts'
import { Dialog, type OpenProps } from '../../ui/dialog.tsx'
import { QuietNotice } from '../../ui/notice.tsx'

type PassedDay = Call<'GET /tasks/:id/passed'>['response']['days'][number]

type Earlier = { key: string; day: string; what: Task | 'skipped' | 'missed' }

const shownAtOnce = 50

/** All occurrences that were completed, and the days of the last 30 that were not. */
export function EarlierDialog({ task, ...opening }: OpenProps & { task: Task }) {
  const [shown, setShown] = useState(shownAtOnce)
  const done = useDone(task)
  const { passed, isMissing } = usePassed(task)
  const all = [
    ...done.map((each) => ({ key: each._id, day: dayOf(each), what: each })),
    ...passed.map(({ day, skipped }): Earlier => ({ key: day, day, what: skipped ? 'skipped' : 'missed' })),
  ].sort((one, other) => (one.day > other.day ? -1 : Number(one.day < other.day)))
  return (
    <Dialog {...opening} title="Earlier">
      <div className="task-form stack airy">
        <p>
          <bdi>{task.title || 'Untitled'}</bdi>
        </p>
        {isMissing && (
          <QuietNotice>
            The days of the last 30 that were skipped or missed could not be loaded. Open Earlier again to
            load them.
          </QuietNotice>
        )}
        {all.length === 0 && !isMissing && <p>Nothing was completed, skipped or missed yet.</p>}
        <ul className="earlier-days stack">
          {all.slice(0, shown).map(({ key, ...earlier }) => (
            <li key={key} data-what={typeof earlier.what === 'object' ? 'done' : earlier.what}>
              <EarlierDay {...earlier} />
            </li>
          ))}
        </ul>
        {all.length > shown && <Button onClick={() => setShown(shown + shownAtOnce)}>Show more</Button>}
      </div>
    </Dialog>
  )
}

const dayOf = ({ repeatDay, dueDate, doneAt }: Task) => repeatDay ?? dueDate ?? dayOfInstant(doneAt ?? '')

const seriesOf = ({ series, _id }: Task) => series ?? _id

/** Only tasks that the page holds. */
function useDone(task: Task): Task[] {
  const done = useStored((store) => store.list('done', ''))
  return done.filter((each) => seriesOf(each) === seriesOf(task))
}

/** Fetched again after each change of the repeat, here or on another device. */
function usePassed(task: Task) {
  const { _id: id } = task
  const fetched = useEngine().fetched.of<{ days: PassedDay[]; next: undefined }>(
    `passed ${id}`,
    async (_, signal) => {
      const { data } = await call('GET /tasks/:id/passed', { params: { id }, signal })
      return { days: data.days, next: undefined }
    },
  )
  const { pages, failure } = useFetched(fetched)
  const newest = useStored((store) => {
    const versions = [...store.tasks()].filter((each) => seriesOf(each) === seriesOf(task))
    return Math.max(0, ...versions.map(({ version }) => version))
  })
  const shown = useRef(newest)
  useEffect(() => {
    if (shown.current !== newest) fetched.refetch()
    shown.current = newest
  }, [newest, fetched])
  return { passed: pages[0]?.days ?? [], isMissing: failure !== undefined && pages.length === 0 }
}

function EarlierDay({ day, what }: Omit<Earlier, 'key'>) {
  const { today, locale } = useDayContext()
  const due = formatDayOfYear(day, today, locale)
  if (what === 'skipped') return <>{due}: skipped.</>
  if (what === 'missed') return <>{due}: missed.</>
  const at = what.doneAt ?? ''
  const time = formatTime(timeHere(new Date(at)), locale)
  const doneOn = dayOfInstant(at)
  if (doneOn === day) return <>{`${due}: done at ${time}.`}</>
  return <>{`${due}: done on ${formatDayOfYear(doneOn, today, locale)} at ${time}.`}</>
}
