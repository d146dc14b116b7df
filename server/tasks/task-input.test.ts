import { beforeAll, expect, test } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { fieldErrorOf } from '../testing/field-error.ts'
import { allRows } from '../testing/rows.ts'
import { onEveryServer, userForAll } from '../testing/test-server.ts'

const draft = { title: 'Water the plants', body: '', dueDate: '2026-11-21', priority: 'high' }
const without = (field: keyof typeof draft) => ({ ...draft, [field]: undefined })

const time = 'must be a time from 00:00 to 23:59, written HH:MM, such as 17:30'
const day = 'must be an existing day from 1970-01-01 to 2200-12-31, written YYYY-MM-DD, such as 2026-11-21'
const text = 'must not contain U+0000 or an unpaired surrogate'
const priority = 'must be one of high, medium, low'

type BadDraft = [what: string, body: unknown, field: string, message: string]

/** Invalid request bodies, with the field and the message of the expected error. */
const badDrafts: BadDraft[] = [
  ['no title', without('title'), 'title', 'is missing'],
  ['an empty title', { ...draft, title: '' }, 'title', 'must not be empty'],
  ['a blank title', { ...draft, title: ' \t\n\u00A0\u3000' }, 'title', 'must not be blank'],
  [
    'a title of 501 characters',
    { ...draft, title: 'x'.repeat(501) },
    'title',
    'must have at most 500 characters',
  ],
  ['501 emoji', { ...draft, title: '😀'.repeat(501) }, 'title', 'must have at most 500 characters'],
  ['a number as title', { ...draft, title: 1 }, 'title', 'must be a string'],
  ['true as title', { ...draft, title: true }, 'title', 'must be a string'],
  ['a list as title', { ...draft, title: ['x'] }, 'title', 'must be a string'],
  ['an object as title', { ...draft, title: { length: 3 } }, 'title', 'must be a string'],
  ['null as title', { ...draft, title: null }, 'title', 'must be a string'],
  ['U+0000 in the title', { ...draft, title: 'a\0b' }, 'title', text],
  ['a high surrogate alone in the title', { ...draft, title: '\ud83d' }, 'title', text],
  ['a low surrogate alone in the title', { ...draft, title: 'x\ude00x' }, 'title', text],
  ['surrogates in the wrong order in the title', { ...draft, title: '\ude00\ud83d' }, 'title', text],
  ['a number as body', { ...draft, body: 1 }, 'body', 'must be a string'],
  ['null as body', { ...draft, body: null }, 'body', 'must be a string'],
  ['a list as body', { ...draft, body: [] }, 'body', 'must be a string'],
  [
    'a body of 100,001 characters',
    { ...draft, body: 'x'.repeat(100_001) },
    'body',
    'must have at most 100,000 characters',
  ],
  ['U+0000 in the body', { ...draft, body: '\0' }, 'body', text],
  ['an unpaired surrogate in the body', { ...draft, body: 'x\udfff' }, 'body', text],
  ['no due date', without('dueDate'), 'dueDate', 'is missing'],
  ['an empty due date', { ...draft, dueDate: '' }, 'dueDate', day],
  ['a number as due date', { ...draft, dueDate: 1_795_219_200_000 }, 'dueDate', 'must be a string or null'],
  ['a time with seconds', { ...draft, dueTime: '17:30:00' }, 'dueTime', time],
  ['a time after the end of the day', { ...draft, dueTime: '24:00' }, 'dueTime', time],
  [
    'a time without a due date',
    { ...draft, dueDate: null, dueTime: '17:30' },
    'dueTime',
    'must be null in a task without a due date',
  ],
  ...[
    ...['2026-02-30', '0026-11-25', '1969-12-31', '2201-01-01', '9999-12-31', '2026-02-29', '1900-02-29'],
    ...['2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '0000-01-01', '-000001-01-01'],
    ...['+002026-01-01', '12026-01-01', '26-01-01', '2026-1-1', '20260101', '01/02/2026', '2026-W01-1'],
    ...['2026-01-01T00:00:00Z', '2026-01-01 ', '2026-01-01\n', ' 2026-01-01', '２０２６-01-01'],
    ...['tomorrow', 'infinity'],
  ].map(
    (dueDate): BadDraft => [`${JSON.stringify(dueDate)} as due date`, { ...draft, dueDate }, 'dueDate', day],
  ),
  ['no priority', without('priority'), 'priority', 'is missing'],
  ['an empty priority', { ...draft, priority: '' }, 'priority', priority],
  ['an unknown priority', { ...draft, priority: 'urgent' }, 'priority', priority],
  ['a priority in upper case', { ...draft, priority: 'HIGH' }, 'priority', priority],
  ['a priority with a space', { ...draft, priority: 'high ' }, 'priority', priority],
  ['a number as priority', { ...draft, priority: 1 }, 'priority', priority],
  ['null as priority', { ...draft, priority: null }, 'priority', priority],
  ['a list as priority', { ...draft, priority: ['high'] }, 'priority', priority],
  ['an array', [draft], 'request body', 'must be a JSON object'],
  ['null', 'null', 'request body', 'must be a JSON object'],
  ['a string', '"high"', 'request body', 'must be a JSON object'],
  ['nothing', '', 'request body', 'must be a JSON object'],
  ['{', '{', 'request body', 'must be valid JSON'],
  ['two objects', '{}{}', 'request body', 'must be valid JSON'],
  ['a key __proto__', '{"__proto__":{"title":"x"}}', 'request body', 'must be valid JSON'],
]

onEveryServer('invalid input to adding and editing a task', ({ server }) => {
  const user = userForAll(server)

  let task: Task
  beforeAll(async () => {
    task = await user.addTask()
  })

  test.each(badDrafts)(
    '%s is rejected with a 400 that names the field and the reason, and changes nothing',
    async (_, body, ...why) => {
      const before = await allRows(server.database)
      for (const endpoint of ['POST /list/addTask', `PUT /list/updateTask/${task._id}`]) {
        expect(fieldErrorOf(await user.call(endpoint, { body }))).toEqual([400, ...why])
      }
      expect(await allRows(server.database)).toEqual(before)
    },
  )

  test('each invalid field is named once', async () => {
    const body = { title: '', body: 1, dueDate: '2026-02-30' }
    const { json } = await user.call('POST /list/addTask', { body })
    expect(json.errors?.map(({ field }) => field).sort()).toEqual(['body', 'dueDate', 'priority', 'title'])
  })

  test.each([
    ['plain text', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a similar content type', { 'content-type': 'application/jsonp' }],
    ['an empty content type', { 'content-type': '' }],
  ])('%s is rejected with a 415', async (_, headers) => {
    const before = await allRows(server.database)
    const answer = await user.call('POST /list/addTask', { body: draft, headers })
    const message = 'must be JSON, sent with Content-Type: application/json'
    expect(fieldErrorOf(answer)).toEqual([415, 'request body', message])
    expect(await allRows(server.database)).toEqual(before)
  })

  test('a request of more than 1 MiB is rejected with a 413', async () => {
    const before = await allRows(server.database)
    const answer = await user.call('POST /list/addTask', { body: { ...draft, x: 'x'.repeat(1_048_576) } })
    expect(fieldErrorOf(answer)).toEqual([413, 'request body', 'is larger than this call accepts'])
    expect(await allRows(server.database)).toEqual(before)
  })

  test('bytes that are not UTF-8 are rejected, not replaced', async () => {
    const before = await allRows(server.database)
    const [start, end] = JSON.stringify({ ...draft, title: 'caf|' }).split('|') as [string, string]
    const latin1 = Buffer.concat([Buffer.from(start), Buffer.of(0xe9), Buffer.from(end)])
    const answer = await user.call('POST /list/addTask', { body: latin1 })
    expect(fieldErrorOf(answer)).toEqual([400, 'request body', 'must be valid JSON'])
    expect(await allRows(server.database)).toEqual(before)
  })

  test.each([
    ['a number', '7'],
    ['text', 'abc'],
    ['an id in upper case', '01A1FBEC-DF28-741D-85D9-08C2D1FCAC18'],
    ['an id in braces', '{01a1fbec-df28-741d-85d9-08c2d1fcac18}'],
    ['an id without dashes', '01a1fbecdf28741d85d908c2d1fcac18'],
    ['an id and a line break', '01a1fbec-df28-741d-85d9-08c2d1fcac18%0A'],
    ['SQL', "'%20or%20''='"],
    ['U+0000', '%00'],
    ['two dots', '..%2f..%2fetc%2fpasswd'],
  ])('%s instead of an id is rejected with a 400', async (_, id) => {
    const before = await allRows(server.database)
    const message = 'must be a UUID in lower case, such as 01a1fbec-df28-741d-85d9-08c2d1fcac18'
    const edit = await user.editTask(id, draft)
    expect(fieldErrorOf(edit)).toEqual([400, 'id', message])
    expect(fieldErrorOf(await user.deleteTask(id))).toEqual([400, 'id', message])
    expect(await allRows(server.database)).toEqual(before)
  })

  test.each([
    ['broken percent-encoding', '%zz'],
    ['bytes that are not UTF-8', '%ff'],
    ['a thousand characters', 'x'.repeat(1000)],
  ])('%s instead of an id is answered with a problem document', async (_, id) => {
    const before = await allRows(server.database)
    const answer = await user.deleteTask(id)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.headers['content-type']).toMatch('application/problem+json')
    expect(await allRows(server.database)).toEqual(before)
  })
})
