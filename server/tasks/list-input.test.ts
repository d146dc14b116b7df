import { afterAll, beforeAll, expect, test } from 'vitest'
import { fieldErrorOf } from '../testing/field-error.ts'
import { allRows } from '../testing/rows.ts'
import { onEveryServer, userForAll } from '../testing/test-server.ts'

const notIssued = 'must be a nextCursor that this list answered with'

onEveryServer('invalid input to a list', ({ server }) => {
  const user = userForAll(server)
  let before: unknown
  beforeAll(async () => {
    for (let task = 0; task < 3; task++) await user.addTask({ dueDate: '2020-01-01' })
    before = await allRows(server.database)
  })
  afterAll(async () => {
    expect(await allRows(server.database)).toEqual(before)
  })

  test.each([
    ['0', 'must be at least 1'],
    ['-1', 'must be at least 1'],
    ['201', 'must be at most 200'],
    ['1e9', 'must be at most 200'],
    ['1.5', 'must be a whole number'],
    ['ten', 'must be a whole number'],
    ['', 'must be a whole number'],
    ['Infinity', 'must be at most 200'],
    ['-Infinity', 'must be at least 1'],
    ['NaN', 'must be a whole number'],
    ['%00', 'must be a whole number'],
    ['2&limit=3', 'must be a whole number'],
  ])('limit=%s is rejected with a 400', async (limit, message) => {
    const answer = await user.call(`GET /list/getLatestTasks?limit=${limit}`)
    expect(fieldErrorOf(answer)).toEqual([400, 'limit', message])
  })

  test.each([
    ['a word', 'abc'],
    ['a number', '2'],
    ['an id', '01a1fbec-df28-741d-85d9-08c2d1fcac18'],
    ['JSON', Buffer.from('["2020-01-01",1]').toString('base64url')],
    ['SQL', "'%20or%20''='"],
    ['U+0000', '%00'],
    ['bytes that are not UTF-8', '%ff%fe'],
    ['emoji', '%F0%9F%98%80'],
    ['a text of more than 512 characters', 'x'.repeat(513), 'must have at most 512 characters'],
  ])('%s as a cursor is rejected with a 400', async (_, cursor, message = notIssued) => {
    const answer = await user.call(`GET /list/getLatestTasks?cursor=${cursor}`)
    expect(fieldErrorOf(answer)).toEqual([400, 'cursor', message])
  })

  test('a cursor with one changed character, truncated, extended or twice, is rejected with a 400', async () => {
    const { nextCursor } = (await user.call('GET /list/getLowPriorityTasks?limit=1')).json
    const changed = Array.from(nextCursor, (character, place) => {
      const other = character === 'A' ? 'B' : 'A'
      return nextCursor.slice(0, place) + other + nextCursor.slice(place + 1)
    })
    const lengthened = ['A', '=', '.', '%20', '!'].map((more) => nextCursor + more)
    for (const cursor of [...changed, ...lengthened, nextCursor.slice(0, -1), nextCursor.slice(1)]) {
      const answer = await user.call(`GET /list/getLowPriorityTasks?cursor=${cursor}`)
      expect([cursor, ...fieldErrorOf(answer)]).toEqual([cursor, 400, 'cursor', notIssued])
    }
    const twice = await user.call(`GET /list/getLowPriorityTasks?cursor=${nextCursor}&cursor=${nextCursor}`)
    expect(fieldErrorOf(twice)).toEqual([400, 'cursor', 'must be a string'])
  })

  test.each([
    'GET /list/getTodayTasks',
    'GET /list/getLatestTasks',
    'GET /list/getHighPriorityTasks',
    'GET /list/getMediumPriorityTasks',
  ])('%s rejects the cursor of another list with a 400', async (list) => {
    const { nextCursor } = (await user.call('GET /list/getLowPriorityTasks?limit=1')).json
    expect(fieldErrorOf(await user.call(`${list}?cursor=${nextCursor}`))).toEqual([400, 'cursor', notIssued])
  })

  test.each([
    ...['Nowhere/City', 'Europe', 'Europe/Lisbon, Europe/Paris', '../../etc/passwd', ''],
    ...['+01:00', '-05', '−05:00', 'UTC+1', 'Z'],
    ...['2026-11-21T00:00Z', '2026-11-21T00:00[Europe/Lisbon]', '2026-11-21T00:00+01:00'],
  ])('the time zone "%s" is rejected with a 400', async (zone) => {
    const answer = await user.call('GET /list/getTodayTasks', { headers: { 'time-zone': zone } })
    expect(fieldErrorOf(answer)).toEqual([400, 'Time-Zone', 'must be a time zone, such as Europe/Lisbon'])
  })
})
