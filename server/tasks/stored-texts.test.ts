import { expect, test } from 'vitest'
import { bodyLength, titleLength } from '#contract/limits.ts'
import { onEveryServer } from '../testing/test-server.ts'

const texts = {
  'emoji sequences': '👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽',
  'right-to-left text with directional marks': 'مرحبا \u202Eשלום\u202C עולם\u200F',
  'all kinds of line breaks, and tabs': 'one\ntwo\r\nthree\rfour\tfive\u2028six\u2029seven\u0085eight',
  'quotes, backslashes and SQL syntax': `'"\`\\ '; drop table tasks; -- $1 ? %s :name \\u0041`,
  'HTML and template syntax': `<script>alert(1)</script> &amp; {{7*7}} $\{7*7}`,
  'leading and trailing Unicode spaces': ' \u00A0\u2003 wide\u3000\u200B ',
  'control characters': '\u0001\u0008\u001B[31mred\u007F',
  'a byte order mark and unassigned characters': '\uFEFFtext\uFFFD\uFFFF\u{10FFFF}',
  'composed and decomposed letters': 'é e\u0301 Å A\u030A 각 \u1100\u1161\u11A8',
  'many combining marks on one letter': `Z${'\u0351\u0346\u033F'.repeat(30)}`,
}

onEveryServer('the text of a task', ({ user }) => {
  test.each(Object.entries(texts))('%s is stored and returned unchanged', async (_, text) => {
    const task = await user.addTask({ title: text, body: text })
    expect(task).toMatchObject({ title: text, body: text })
    const draft = { title: `${text}!`, body: `${text}?`, dueDate: task.dueDate, priority: task.priority }
    await user.editTask(task._id, draft)
    expect(await user.tasks()).toEqual([{ ...task, ...draft, version: 2 }])
  })

  test('escape sequences in JSON are decoded', async () => {
    const body = String.raw`{"title":"\ud83d\ude00 \u00e9\/\n","dueDate":"2026-11-21","priority":"low"}`
    const { json } = await user.call('POST /list/addTask', { body })
    expect(json.task.title).toBe('😀 é/\n')
  })

  test('lengths are counted in code points, not in UTF-16 code units or bytes', async () => {
    const [title, body] = ['𝒳'.repeat(titleLength.max), '😀'.repeat(bodyLength.max)]
    expect(await user.addTask({ title, body })).toMatchObject({ title, body })
  })
})
