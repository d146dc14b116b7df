import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { parseSlowly } from './parse-slowly.ts'
import { Reading } from './reading.tsx'

const id = '0b4c1c8e-5a3e-4a55-9d8f-3f1f9f2d7c11'

async function htmlOf(text: string) {
  const tree = await parseSlowly(text)
  if (!tree) throw new Error('The parse was aborted.')
  const itemOf = (address: { kind: string; id: string }) =>
    address.id === id ? { title: `current ${address.kind}`, isDone: false } : undefined
  const html = renderToStaticMarkup(createElement(Reading, { tree, context: { text, itemOf, onOpen() {} } }))
  return html.replaceAll(/ dir="\w+"/g, '')
}

/** Below a title, which the first line of a note is. */
async function read(below: string) {
  const html = await htmlOf(`Title\n\n${below}`)
  return html.replace(/^<div class="reading measure"><h2>Title<\/h2>(.*)<\/div>$/s, '$1')
}

test('The first line is the title, with or without the mark of a heading', async () => {
  expect(await htmlOf('Shopping *list*\nmilk\nbread')).toBe(
    '<div class="reading measure"><h2>Shopping <em>list</em></h2><p>milk\nbread</p></div>',
  )
  expect(await htmlOf('# Shopping')).toBe('<div class="reading measure"><h2>Shopping</h2></div>')
})

test('Headings, emphasis, code and quotes are elements without their marks', async () => {
  expect(await read('# Title\n\nSome *soft* **strong** ~~gone~~ `code`.\n\n> quoted')).toBe(
    '<h2>Title</h2><p>Some <em>soft</em> <strong>strong</strong> <del>gone</del> <code>code</code>.</p>' +
      '<blockquote><p>quoted</p></blockquote>',
  )
})

test('Lists keep their numbers, and tasks are checkboxes', async () => {
  expect(await read('3. three\n4. four')).toBe('<ol start="3"><li><p>three</p></li><li><p>four</p></li></ol>')
  expect(await read('- [x] done\n- [ ] open')).toBe(
    '<ul><li data-task="true"><label><input type="checkbox" disabled="" checked=""/><span>done</span></label></li>' +
      '<li data-task="true"><label><input type="checkbox" disabled=""/><span>open</span></label></li></ul>',
  )
})

test('Tables have a header row and cells', async () => {
  expect(await read('| a | b |\n|---|---|\n| 1 | *2* |')).toContain(
    '<tr><th>a</th><th>b</th></tr><tr><td>1</td><td><em>2</em></td></tr>',
  )
})

test('The columns of a table are aligned as the line below its head says, and an empty cell keeps its place', async () => {
  expect(await read('| a | b | c | d |\n|:--|:-:|--:|---|\n| 1 | | 3 | 4 |\n5|6')).toContain(
    '<tr><th data-align="left">a</th><th data-align="center">b</th><th data-align="right">c</th><th>d</th></tr>' +
      '<tr><td data-align="left">1</td><td data-align="center"></td><td data-align="right">3</td><td>4</td></tr>' +
      '<tr><td data-align="left">5</td><td data-align="center">6</td></tr>',
  )
})

test('Code blocks keep their text', async () => {
  expect(await read('```\na < b\n  c\n```')).toBe('<pre><code>a &lt; b\n  c</code></pre>')
})

test('Links of allowed schemes are links, others are text', async () => {
  expect(await read('[a *b*](https://example.org) <https://c.org> https://d.org')).toBe(
    '<p><a href="https://example.org" rel="noreferrer" target="_blank">a <em>b</em></a> ' +
      '<a href="https://c.org" rel="noreferrer" target="_blank">https://c.org</a> ' +
      '<a href="https://d.org" rel="noreferrer" target="_blank">https://d.org</a></p>',
  )
  expect(await read('[click](javascript:alert(1))')).toBe('<p>[click](javascript:alert(1))</p>')
})

test('Links to notes and tasks show the current title, and the written one if there is none', async () => {
  expect(await read(`[old](note:${id})`)).toBe(`<p><a href="/dashboard/notes/${id}">current note</a></p>`)
  expect(await read(`[old](task:${id})`)).toContain('current task</button>')
  expect(await read(`[old](note:${id.replace('0', '1')})`)).toContain('old')
})

test('Tags lead to their places', async () => {
  expect(await read('about #größe, not C#sharp or #1')).toBe(
    '<p>about <a class="note-tag" href="/dashboard?tag=gr%C3%B6%C3%9Fe">#größe</a>, not C#sharp or #1</p>',
  )
})

test('Embedded HTML is shown as text', async () => {
  const html = await read('<script>alert(1)</script>\n\n<img src=x onerror=alert(1)> a <b onclick=x>b</b>')
  expect(html).not.toMatch(/<(script|img|b)\b/)
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
})

const hostile = {
  'quotes in quotes': '> '.repeat(50_000),
  'lines of quotes in quotes': `${'> '.repeat(1000)}a\n`.repeat(50),
  'lists in lists': Array.from({ length: 300 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n'),
  '10,000 links': '[a](x) '.repeat(10_000),
  '10,000 lines of links': '[a](x)\n'.repeat(10_000),
  'one line': 'a'.repeat(100_000),
  'opening brackets': '['.repeat(100_000),
  'emphasis without an end': `${'*a_ '.repeat(1200)}\n\n`.repeat(20),
  'open tags': '<a '.repeat(33_000),
}

for (const [name, text] of Object.entries(hostile))
  test(`${name} are read without an error, and no letter is lost`, async () => {
    const html = await read(text)
    const letters = (string: string) => string.replaceAll(/<[^>]*>|&\w+;|[^a]/g, '').length
    expect(letters(html)).toBe(letters(text.replaceAll(/\]\(x\)/g, '').replaceAll('<', '')))
  })
