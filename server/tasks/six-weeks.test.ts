import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nextId, nextTask } from '#contract/repeats.ts'
import type { Task } from '#contract/tasks.ts'
import { newId } from '../new-id.ts'
import { eveningOf, isIn, missed, moves, offline, readWeeks } from '../testing/six-weeks/read-weeks.ts'
import { onEveryServer, type TestUser } from '../testing/test-server.ts'

/** Zones of one clock. The server keeps the day of a zone until it ends, and each run begins earlier. */
const zones = ['Europe/Berlin', 'Europe/Vienna', 'Europe/Prague', 'Europe/Rome']

const titlesOf = (tasks: readonly Task[]) => tasks.map(({ title }) => title).sort()

onEveryServer('six weeks of forty repeated tasks', ({ server }) => {
  let headers: Record<string, string>
  beforeEach(() => {
    headers = { 'time-zone': zones.shift() as string }
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.spyOn(Temporal.Now, 'zonedDateTimeISO').mockImplementation((zone) =>
      Temporal.Instant.fromEpochMilliseconds(Date.now()).toZonedDateTimeISO(zone as string),
    )
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  async function send(user: TestUser, changes: object[]) {
    if (changes.length === 0) return
    const { status, text } = await user.call('POST /changes', { headers, body: { changes } })
    expect(status, text).toBe(200)
  }
  const listOf = async (user: TestUser, list: string) =>
    (await user.call(`GET /list/${list}?limit=200`, { headers })).json.lists
  const completion = ({ _id: item }: Task, day: string, at?: string) => ({
    ...{ mutation: newId(), item, set: { done: true }, day },
    ...(at && { at }),
  })

  test.each(['spring', 'autumn'])(
    'over the change of the clock in %s, with a week missed and a week without a network',
    async (name) => {
      const { tasks, days } = readWeeks(name)
      vi.setSystemTime(eveningOf(days[0]?.day as string))
      const user = await server.newUser()
      const draft = { body: '', priority: 'low' }
      const added = tasks.map(([title, dueDate, repeat, from]) => ({
        ...{ mutation: newId(), item: newId() },
        set: { ...draft, title, dueDate, repeat, repeatFrom: from ?? 'due' },
      }))
      await send(user, added)
      const shown: { day: string; titles: string[] }[] = []
      /** What the device has while it has no network, and what it will send. */
      let held: Task[] = []
      let queued: object[] = []
      for (const [index, { day }] of days.entries()) {
        const isOffline = isIn(offline, index)
        vi.setSystemTime(eveningOf(day))
        if (index === offline[0]) held = await listOf(user, 'getLatestTasks')
        if (index === offline[1]) {
          await send(user, queued)
          queued = []
        }
        if (moves.includes(index)) {
          const later = days[index + 4]?.day
          const today = await listOf(user, 'getTodayTasks')
          const moved = today.filter(({ title, dueDate }) => title.startsWith('moved') && dueDate === day)
          const set = { dueDate: later }
          await send(
            user,
            moved.map(({ _id: item }) => ({ mutation: newId(), item, set })),
          )
        }
        const due = isOffline
          ? held.filter(({ dueDate }) => dueDate !== null && dueDate <= day)
          : await listOf(user, 'getTodayTasks')
        shown.push({ day, titles: titlesOf(due) })
        if (isIn(missed, index)) continue
        const at = isOffline ? eveningOf(day).toISOString() : undefined
        const completions = due.map((task) => completion(task, day, at))
        if (!isOffline) await send(user, completions)
        else {
          queued.push(...completions)
          held = held.flatMap((task) => {
            if (!due.includes(task)) return task
            const next = nextTask(task, day)
            return next ? { ...task, ...next, _id: nextId(String(task.series ?? task._id), task._id) } : []
          })
        }
      }
      expect(shown).toEqual(days)
    },
  )
})
