import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { fieldErrorOf } from '../testing/field-error.ts'
import { allRows } from '../testing/rows.ts'
import { onEveryServer, userForAll } from '../testing/test-server.ts'

const draft = { title: 'Water the plants', body: '', dueDate: '2026-11-21', priority: 'high' }
const time = 'must be a time from 00:00 to 23:59, written HH:MM, such as 17:30'
const day = 'must be an existing day from 1970-01-01 to 2200-12-31, written YYYY-MM-DD, such as 2026-11-21'
const text = 'must not contain U+0000 or an unpaired surrogate'
const noTime = 'must be null in a task without a due date'
const priority = 'must be one of high, medium, low'

type BadDraft = [what: string, body: unknown, field: string, message: string]

/** Drafts with each of these values of a field, which have the same error. */
const withEach = (field: string, message: string, ...values: unknown[]): BadDraft[] =>
  values.map((value) => {
    const text = JSON.stringify(value) ?? 'nothing'
    return [`${text.slice(0, 40)} as ${field}`, { ...draft, [field]: value }, field, message]
  })

/** Invalid request bodies, with the field and the message of the expected error. */
const badDrafts: BadDraft[] = [
  ...['title', 'dueDate', 'priority'].flatMap((field) => withEach(field, 'is missing', undefined)),
  ...withEach('title', 'must not be empty', ''),
  ...withEach('title', 'must not be blank', ' \t\n\u00A0\u3000'),
  ...withEach('title', 'must have at most 500 characters', 'x'.repeat(501), '😀'.repeat(501)),
  ...withEach('title', 'must be a string', 1, true, ['x'], { length: 3 }, null),
  ...withEach('title', text, 'a\0b', '\ud83d', 'x\ude00x', '\ude00\ud83d'),
  ...withEach('body', 'must be a string', 1, null, []),
  ...withEach('body', 'must have at most 100,000 characters', 'x'.repeat(100_001)),
  ...withEach('body', text, '\0', 'x\udfff'),
  ...withEach('dueTime', time, '17:30:00', '24:00'),
  ['a time without a due date', { ...draft, dueDate: null, dueTime: '17:30' }, 'dueTime', noTime],
  ...withEach('dueDate', 'must be a string or null', 1_795_219_200_000),
  ...withEach(
    ...(['dueDate', day, ''] as const),
    ...['2026-02-30', '0026-11-25', '1969-12-31', '2201-01-01', '9999-12-31', '2026-02-29', '1900-02-29'],
    ...['2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '0000-01-01', '-000001-01-01'],
    ...['+002026-01-01', '12026-01-01', '26-01-01', '2026-1-1', '20260101', '01/02/2026', '2026-W01-1'],
    ...['2026-01-01T00:00:00Z', '2026-01-01 ', '2026-01-01\n', ' 2026-01-01', '２０２６-01-01'],
    ...['tomorrow', 'infinity'],
  ),
  ...withEach('priority', priority, '', 'urgent', 'HIGH', 'high ', 1, null, ['high']),
  ...['[]', 'null', '"high"', ''].map(
    (body): BadDraft => [`the body ${body}`, body, 'request body', 'must be a JSON object'],
  ),
  ...['{', '{}{}', '{"__proto__":{"title":"x"}}'].map(
    (body): BadDraft => [`the body ${body}`, body, 'request body', 'must be valid JSON'],
  ),
]

onEveryServer('invalid input to adding and editing a task', ({ server }) => {
  const user = userForAll(server)

  let task: Task
  beforeAll(async () => {
    task = await user.addTask()
  })
  // No rejected call changes anything.
  let before: unknown
  beforeEach(async () => {
    before = await allRows(server.database)
  })
  afterEach(async () => {
    expect(await allRows(server.database)).toEqual(before)
  })

  test.each(badDrafts)(
    '%s is rejected with a 400 that names the field and the reason, and changes nothing',
    async (_, body, ...why) => {
      for (const endpoint of ['POST /list/addTask', `PUT /list/updateTask/${task._id}`]) {
        expect(fieldErrorOf(await user.call(endpoint, { body }))).toEqual([400, ...why])
      }
    },
  )

  test('each invalid field is named once', async () => {
    const body = { title: '', body: 1, dueDate: '2026-02-30' }
    const { json } = await user.call('POST /list/addTask', { body })
    expect(json.errors?.map(({ field }) => field).sort()).toEqual(['body', 'dueDate', 'priority', 'title'])
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'the content type "%s" is rejected with a 415',
    async (type) => {
      const answer = await user.call('POST /list/addTask', { body: draft, headers: { 'content-type': type } })
      const message = 'must be JSON, sent with Content-Type: application/json'
      expect(fieldErrorOf(answer)).toEqual([415, 'request body', message])
    },
  )

  test('a request of more than 1 MiB is rejected with a 413', async () => {
    const answer = await user.call('POST /list/addTask', { body: { ...draft, x: 'x'.repeat(1_048_576) } })
    expect(fieldErrorOf(answer)).toEqual([413, 'request body', 'is larger than this call accepts'])
  })

  test('bytes that are not UTF-8 are rejected, not replaced', async () => {
    const [start, end] = JSON.stringify({ ...draft, title: 'caf|' }).split('|') as [string, string]
    const latin1 = Buffer.concat([Buffer.from(start), Buffer.of(0xe9), Buffer.from(end)])
    const answer = await user.call('POST /list/addTask', { body: latin1 })
    expect(fieldErrorOf(answer)).toEqual([400, 'request body', 'must be valid JSON'])
  })

  test.each([
    ...['7', 'abc', '01A1FBEC-DF28-741D-85D9-08C2D1FCAC18', '{01a1fbec-df28-741d-85d9-08c2d1fcac18}'],
    ...['01a1fbecdf28741d85d908c2d1fcac18', '01a1fbec-df28-741d-85d9-08c2d1fcac18%0A', "'%20or%20''='"],
    ...['%00', '..%2f..%2fetc%2fpasswd'],
  ])('%s instead of an id is rejected with a 400', async (id) => {
    const message = 'must be a UUID in lower case, such as 01a1fbec-df28-741d-85d9-08c2d1fcac18'
    for (const answer of [await user.editTask(id, draft), await user.deleteTask(id)])
      expect(fieldErrorOf(answer)).toEqual([400, 'id', message])
  })

  test.each(['%zz', '%ff', 'x'.repeat(1000)])('%s instead of an id gets a problem document', async (id) => {
    const answer = await user.deleteTask(id)
    expect(answer.status).toBeOneOf([400, 404, 414])
    expect(answer.headers['content-type']).toMatch('application/problem+json')
  })
})
