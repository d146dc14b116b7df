import { expect, test } from 'vitest'
import { newId } from '../new-id.ts'
import { fieldErrorOf } from '../testing/field-error.ts'
import { onEveryServer } from '../testing/test-server.ts'

const draft = { title: 'Water the plants', body: '', dueDate: '2026-11-21', priority: 'high' } as const

onEveryServer('tasks without a date, and times of day', ({ user }) => {
  const change = (item: string, set: object, base?: number) => user.send({ item, set, base })
  const titles = async (list: string, headers = { 'time-zone': 'UTC' }) =>
    (await user.call(`GET /list/${list}`, { headers })).json.lists.map(({ title }) => title)

  test('a task without a date is in Latest, in its priority after the dated ones, and in Someday, newest first', async () => {
    await user.addTask({ ...draft, title: 'first', dueDate: null })
    await user.addTask({ ...draft, title: 'late', dueDate: '2020-01-01' })
    await user.addTask({ ...draft, title: 'last', dueDate: '2200-12-31' })
    await user.addTask({ ...draft, title: 'second', dueDate: null })
    expect(await titles('getLatestTasks')).toEqual(['second', 'last', 'late', 'first'])
    expect(await titles('getHighPriorityTasks')).toEqual(['late', 'last', 'first', 'second'])
    expect(await titles('getSomedayTasks')).toEqual(['second', 'first'])
    expect(await titles('getTodayTasks')).toEqual(['late'])
    expect(await titles('getUpcomingTasks')).toEqual(['last'])
  })

  test('within a day tasks are sorted by time, those without a time last, also from page to page', async () => {
    for (const [title, dueTime, priority] of [
      ['no time', null, 'high'],
      ['evening', '19:00', 'high'],
      ['noon, low', '12:00', 'low'],
      ['noon, high', '12:00', 'high'],
      ['midnight', '00:00', 'low'],
    ] as const)
      await user.addTask({ ...draft, title, dueTime, priority, dueDate: '2026-11-20' })
    const expected = ['midnight', 'noon, high', 'noon, low', 'evening', 'no time']
    expect(await titles('getTodayTasks')).toEqual(expected)
    const paged = (await user.pages('GET /list/getTodayTasks?limit=1')).flatMap(({ lists }) => lists)
    expect(paged.map(({ title }) => title)).toEqual(expected)
    expect(await titles('getHighPriorityTasks')).toEqual(['noon, high', 'evening', 'no time'])
  })

  test('an edit without a time keeps it, and one without a date removes it', async () => {
    const { _id } = await user.addTask({ ...draft, dueTime: '17:30' })
    const edit = async (body: object) => (await user.editTask(_id, body)).json.task
    const moved = { dueDate: '2026-12-01', dueTime: '17:30' }
    expect(await edit({ ...draft, dueDate: '2026-12-01' })).toMatchObject(moved)
    expect(await edit({ ...draft, dueDate: null })).toMatchObject({ dueDate: null, dueTime: null })
    expect(await edit(draft)).toMatchObject({ dueDate: '2026-11-21', dueTime: null })
  })

  test('a time without a date is rejected with a 400 that names the field, unless another change has removed the date', async () => {
    const { _id, version } = await user.addTask({ ...draft, dueDate: null })
    const rejected = [400, 'changes/0/set/dueTime', 'must be null in a task without a due date']
    expect(fieldErrorOf(await change(_id, { dueTime: '08:00' }))).toEqual(rejected)
    expect(fieldErrorOf(await change(_id, { dueTime: '08:00' }, version))).toEqual(rejected)
    const whole = { ...draft, dueDate: null, dueTime: '08:00' }
    expect(fieldErrorOf(await change(newId(), whole))).toEqual(rejected)
    const { json: dated } = await change(_id, { dueDate: '2026-11-25', dueTime: '08:00' })
    const base = dated.items[0]?.item?.version
    await change(_id, { dueDate: null }, base)
    const { json: merged } = await change(_id, { dueTime: '09:00' }, base)
    expect(merged.items[0]?.item).toMatchObject({ dueDate: null, dueTime: null })
  })

  test('whatever mixes of date and time arrive at once by each call, no task has a time without a date, and what is stored for null is neither accepted nor shown', async () => {
    const { _id } = await user.addTask(draft)
    const dates = [null, '2026-11-21', '9999-12-31', '2026-11-21T09:00', ''] as const
    const times = [null, '09:00', '24:00', '9:00', '09:00:00', ''] as const
    const mixes = dates.flatMap((dueDate) => times.map((dueTime) => ({ dueDate, dueTime })))
    const isValid = ({ dueDate, dueTime }: (typeof mixes)[number]) =>
      (dueDate === null || dueDate === '2026-11-21') && (dueTime === null || (dueTime === '09:00' && dueDate))
    const statuses = await Promise.all(
      mixes.map(async (mix) => {
        const body = { ...draft, ...mix }
        const answers = await Promise.all([
          user.call('POST /list/addTask', { body }),
          user.editTask(_id, body),
          change(newId(), body),
          change(_id, mix),
        ])
        return answers.map(({ status }) => status)
      }),
    )
    expect(statuses).toEqual(mixes.map((mix) => Array(4).fill(isValid(mix) ? 200 : 400)))
    // One field at a time, over each other.
    const parts = mixes.flatMap(({ dueDate, dueTime }) => [{ dueDate }, { dueTime }])
    await Promise.all(parts.map((part) => change(_id, part)))
    const { items } = await user.changes()
    expect(JSON.stringify(items)).not.toMatch(/9999-12-31|24:00/)
    const tasks = items.map(({ item }) => item)
    expect(tasks).toHaveLength(7)
    expect(tasks.filter((task) => task.dueDate === null && task.dueTime !== null)).toEqual([])
  })
})
