import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyLength, titleLength } from '#contract/limits.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const texts = {
  'an emoji joined from several': '👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽',
  'right-to-left script with marks of direction': 'مرحبا \u202Eשלום\u202C עולם\u200F',
  'line breaks of every kind and tabs': 'one\ntwo\r\nthree\rfour\tfive\u2028six\u2029seven\u0085eight',
  'quotes, backslashes and what SQL would read': `'"\`\\ '; drop table tasks; -- $1 ? %s :name \\u0041`,
  'markup and what templates would read': `<script>alert(1)</script> &amp; {{7*7}} $\{7*7}`,
  'spaces at both ends, of every width': ' \u00A0\u2003 wide\u3000\u200B ',
  'control characters': '\u0001\u0008\u001B[31mred\u007F',
  'a byte order mark and characters that are not assigned': '\uFEFFtext\uFFFD\uFFFF\u{10FFFF}',
  'one letter composed, and the same decomposed': 'é e\u0301 Å A\u030A 각 \u1100\u1161\u11A8',
  'a tower of combining marks': `Z${'\u0351\u0346\u033F'.repeat(30)}`,
}

onEveryEngine('the text of a task', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(engine)
  })
  afterAll(() => server.close())

  test.each(Object.entries(texts))('%s comes back exactly', async (_, text) => {
    const user = await server.newUser()
    const task = await user.addTask({ title: text, body: text })
    expect(task).toMatchObject({ title: text, body: text })
    const draft = { title: `${text}!`, body: `${text}?`, dueDate: task.dueDate, priority: task.priority }
    await user.call(`PUT /list/updateTask/${task._id}`, { body: draft })
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toEqual([{ ...task, ...draft }])
  })

  test('text escaped in JSON is the text it stands for', async () => {
    const user = await server.newUser()
    const body = String.raw`{"title":"\ud83d\ude00 \u00e9\/\n","dueDate":"2026-11-21","priority":"low"}`
    const { json } = await user.call('POST /list/addTask', { body })
    expect(json.task.title).toBe('😀 é/\n')
  })

  test('composed and decomposed letters stay different texts', async () => {
    const user = await server.newUser()
    await user.addTask({ title: 'café'.normalize('NFC') })
    await user.addTask({ title: 'café'.normalize('NFD') })
    const { json } = await user.call('GET /list/getLatestTasks')
    expect(json.lists.map(({ title }) => title.length)).toEqual([5, 4])
  })

  test('a length counts characters, not the units they are stored in', async () => {
    const user = await server.newUser()
    const [title, body] = ['𝒳'.repeat(titleLength.max), '😀'.repeat(bodyLength.max)]
    expect(await user.addTask({ title, body })).toMatchObject({ title, body })
  })
})
