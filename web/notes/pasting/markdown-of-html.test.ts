import { expect, test } from 'vitest'
import { markdownOfNodes, plainOfNodes } from './markdown-of-html.ts'
import { parsedDocument } from './parsed-document.ts'

const convert = async (html: string, plain = '', [before, after] = ['', '']) =>
  (await markdownOfNodes(parsedDocument(html), { plain, before, after }))?.markdown

const unknown =
  'font label center o:p form fieldset details output my-element button summary nobr big marquee dialog legend mark ' +
  'ruby main address textarea select svg'

test('Elements without a meaning in Markdown are read as their content', async () => {
  for (const name of unknown.split(' '))
    expect(await convert(`<${name}>Dear</${name}> <b>x</b>`, 'Dear x'), name).toMatch(
      /^Dear(?: |\n+)\*\*x\*\*$/,
    )
  expect(await convert('<div><font face="Calibri">Dear team,</font></div><p>Regards <b>A</b></p>')).toBe(
    'Dear team,\n\nRegards **A**',
  )
})

test('Text without formats, text whose words would be lost, and code from an editor stay plain', async () => {
  expect(await convert('<p>a</p><div>*b*</div>', 'a\n*b*')).toBeUndefined()
  expect(await convert('<p>a <b>b</b></p>', 'a b and more')).toBeUndefined()
  expect(await convert('<p>a <b>b</b> <video>c</video></p>', 'a b c')).toBeUndefined()
  const editor =
    '<div style="font-family: monospace;white-space: pre;"><div><span style="font-weight: bold;"># A</span></div></div>'
  expect(await convert(editor, '# A')).toBeUndefined()
})

test('Styles are formats, and a style takes a format away', async () => {
  expect(
    await convert(
      '<b style="font-weight:normal"><p>a <span style="font-weight:700">b</span> <span style="FONT-STYLE: italic">c</span> ' +
        '<i style="font-style:normal">d</i> <span style="text-decoration: line-through red">e</span></p></b>',
    ),
  ).toBe('a **b** *c* d ~~e~~')
})

const checkLists = {
  GitHub:
    '<li class="task-list-item"><input type="checkbox" checked disabled> a</li><li><input type="checkbox"> b</li>',
  Docs: '<li role="checkbox" aria-checked="true"><p>a</p></li><li role="checkbox" aria-checked="false"><p>b</p></li>',
  'the clipboard of Notion': '<li>[x] a</li><li>[ ] b</li>',
  'the export of Notion':
    '<li><div class="checkbox checkbox-on"></div> <span>a</span></li><li><div class="checkbox checkbox-off"></div>b</li>',
  TipTap:
    '<li data-checked="true"><label><input type="checkbox" checked><span></span></label><div><p>a</p></div></li>' +
    '<li data-checked="false"><label><input type="checkbox"></label><div><p>b</p></div></li>',
  Quill: '<li data-list="checked">a</li><li data-list="unchecked">b</li>',
  'the reading view':
    '<li data-task="true"><label dir="auto"><input type="checkbox" checked=""><span>a</span></label></li>' +
    '<li data-task="true"><label dir="auto"><input type="checkbox"><span>b</span></label></li>',
}

test('Check lists keep their boxes', async () => {
  for (const [source, items] of Object.entries(checkLists))
    expect(await convert(`<ul>${items}</ul>`), source).toBe('- [x] a\n- [ ] b')
  for (const lines of [
    '<label><input type="checkbox" checked>a</label><br><label><input type="checkbox">b</label>',
    '<div role="checkbox" aria-checked="true">a</div><div role="checkbox" aria-checked="false">b</div>',
    '<p><input type="checkbox" checked> a</p><p><input type="checkbox"> b</p>',
  ])
    expect(await convert(lines)).toBe('- [x] a\n- [ ] b')
})

test('Lists keep their levels and numbers', async () => {
  const levels = '- a\n  - b\n    - c\n- d'
  expect(await convert('<ul><li>a<ul><li>b<ul><li>c</ul></ul><li>d</ul>')).toBe(levels)
  expect(await convert('<ul><li>a</li><ul><li>b</li><ul><li>c</li></ul></ul><li>d</li></ul>')).toBe(levels)
  expect(
    await convert('<ul><li>a</li><li><ul><li>b</li><li><ul><li>c</li></ul></li></ul></li><li>d</li></ul>'),
  ).toBe(levels)
  expect(await convert('<ol start="3"><li>a<p>b</p></li><li value="7">c</li></ol>')).toBe(
    '3. a\n\n   b\n7. c',
  )
})

test('Tables keep their cells, also with formats, links, bars, line breaks and merged cells', async () => {
  expect(
    await convert(
      '<table><tr><th><b>a</b><th>b|c<tr><td><a href="https://e.org/x|y">d</a><td><p>e<br>f</p><p><b>g</b></p>' +
        '<tr><td rowspan=2>h<td><code>i|j</code><tr><td><ul><li>k<li>l</ul><tr><td colspan=2>m</table>',
    ),
  ).toBe(
    '| a | b\\|c |\n| --- | --- |\n| [d](https://e.org/x%7Cy) | e f **g** |\n| h | i\\|j |\n|  | k l |\n| m |  |',
  )
})

test('Formats next to each other and next to punctuation read back as formats', async () => {
  expect(await convert('<b>a</b><b>b</b><b> </b>c')).toBe('**ab** c')
  expect(await convert('<b>x:</b>y <b>"q"</b>z <i>i</i><b>j</b> <b><i>k</i></b>l')).toBe(
    '**x**:y "**q**"z *i***j** ***k***l',
  )
  expect(await convert('<b><p>a</p><p>b<br>c</p></b><code>d`e</code>')).toBe(
    '**a**\n\n**b**\n**c**\n\n``d`e``',
  )
})

test('A phrase reads back as the same text and formats between the words where it is pasted', async () => {
  const around = async (html: string, before: string, after = '') =>
    `${before}${await convert(html, '', [before, after])}${after}`
  expect(await around('<b>(a)</b>', 'word', 'word')).toBe('word(**a**)word')
  expect(await around('<b>"a"</b> # b', 'word ')).toBe('word **"a"** # b')
  expect(await around('# a <i>b</i>', '- ')).toBe('- \\# a *b*')
  expect(await around('<b>a</b>', '        - ')).toBe('        - **a**')
  expect(await around('<b>a</b> <i>b</i> *', '**word ', ' word**')).toBe('**word a *b* * word**')
})

test('Numbers that Word writes before headings and items are kept where Markdown has none like them', async () => {
  const mark = (text: string) => `<span style="mso-list:Ignore">${text}<span>&nbsp;&nbsp; </span></span>`
  const item = (level: number, text: string, content: string) =>
    `<p style="mso-list:l0 level${level} lfo1">${mark(text)}${content}</p>`
  expect(
    await convert(
      `<h2 style="mso-list:l0 level2 lfo1">${mark('1.1')}Soil</h2>${item(1, '1.', 'a')}${item(2, '1.1.', 'b')}` +
        `${item(1, '2.', 'c')}<p><b>d</b></p>${item(1, '§ 3', 'e')}${item(1, 'Ø', 'f')}`,
      '1.1 Soil\n1.\ta\n1.1.\tb\n2.\tc\nd\n§ 3\te\nØ\tf',
    ),
  ).toBe('## 1.1 Soil\n\n1. a\n   - 1.1. b\n2. c\n\n**d**\n\n- § 3 e\n- f')
})

test('HTML that was copied without a plain text has the text of its blocks', () => {
  const html = '<p>a <b>b</b><br>c</p><table><tr><td>d<td>e</table><hr><pre>f\n  g</pre><li>h'
  expect(plainOfNodes(parsedDocument(html))).toBe('a b\nc\nd\te\n\nf\n  g\nh')
})

test('Merged cells do not make a long table of a short text', async () => {
  const rows = '<tr><td colspan="100">a</td></tr>'.repeat(1000)
  expect(await convert(`<table>${rows}</table><b>b</b>`)).toMatch(/^a\na\n/)
})

test('Characters are escaped only where they would be syntax', async () => {
  const same = 'snake_case, 3 * 4, a < b, C# 1.5 [sic] (x) - y | z & 1. # https://e.org/_a_b_(c)_d'
  expect(await convert(`<p>${same} <b>k</b></p>`)).toBe(`${same} **k**`)
  expect(await convert('<p>*a* [b](c) `d`<br># e<br>1. f<br>- g<br>---<br>&lt;div> <b>k</b></p>')).toBe(
    '\\*a\\* \\[b\\](c) \\`d\\`\n\\# e\n1\\. f\n\\- g\n\\---\n\\<div> **k**',
  )
  expect(
    await convert(
      '<a href="https://e.org/a_b_c">https://e.org/a_b_c</a> <a href="https://e.org/(d)">[e]</a>',
    ),
  ).toBe('https://e.org/a_b_c [\\[e\\]](<https://e.org/(d)>)')
  expect(await convert('<a href="javascript:alert(1)">a</a> <a href="#b">b</a> <b>c</b>')).toBe('a b **c**')
})
