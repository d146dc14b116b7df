import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { file, options, refusalOf, remarksOf, tasksIn, zip } from '../testing/import-files.ts'
import { read } from './read-files.ts'

test('Markdown: links between notes lead to them, and what cannot be kept is listed', async () => {
  const vault = {
    'Vault/Plans/Trip.md': [
      '---\ntags: [travel, "big plan"]\naliases:\n  - Journey\ncreated: 2026-01-02T10:00:00Z\nstatus: open\n---',
      'See [[Packing]], [[Plans/Packing#Shoes|shoes]], [the list](Packing.md), [[Missing]] and ![[map.png]].',
      '\n```\n[[Packing]]\n```\nTags of Bear: #two words# and #one.',
    ].join('\n'),
    'Vault/Plans/Packing.md':
      '# Packing\n\nFor the [[journey]]. [Web](https://example.org/a.md) [top](#top) [[self\n]]',
    'Vault/map.png': new Uint8Array([0x89, 0x50, 0, 1]),
    'Vault/unused.pdf': '%PDF',
    'Vault/Daily/2026-11-26.md': 'Only a text, [packed](Packing.md)',
    'Vault/.obsidian/app.json': '{}',
  }
  const imported = await read([await zip('vault.zip', vault)], options)
  expect(imported.source).toBe('markdown')
  const [trip, packing, day] = imported.notes
  const sorted = { list: 'Plans', tags: ['travel', 'big', 'plan'] }
  expect(trip).toMatchObject({ ...sorted, createdAt: '2026-01-02T10:00:00.000Z' })
  expect(trip?.text).toBe(
    [
      `# Trip\n\nSee [Packing](note:${packing?._id}), [shoes](note:${packing?._id}), [the list](note:${packing?._id}), [[Missing]] and ![[map.png]].`,
      '\n```\n[[Packing]]\n```\nTags of Bear: #two-words and #one.\n\n```yaml\nstatus: open\n```',
    ].join('\n'),
  )
  expect(packing?.text).toBe(
    `# Packing\n\nFor the [journey](note:${trip?._id}). [Web](https://example.org/a.md) [top](#top) [[self\n]]`,
  )
  expect(day).toMatchObject({ text: `Only a text, [packed](note:${packing?._id})`, list: 'Daily' })
  expect(remarksOf(imported)).toEqual([
    'The attachment map.png was left out. Its place is kept in the text.',
    'The link Missing leads to no file of this import. It is kept as text.',
    'The file Vault/unused.pdf was left out.',
  ])
})

test('Bear: times, pins, archived notes, pictures of the same name, links to headings; trash and encrypted texts stay out', async () => {
  const said = { creationDate: '2023-10-11T08:08:52Z', modificationDate: '2023-10-11T08:10:40Z' }
  const info = (more: object) => JSON.stringify({ version: 2, 'net.shinyfrog.bear': { ...said, ...more } })
  const backup = await zip('Notes.bear2bk', {
    'B/Trip.textbundle/text.md': '# Trip\n\n[[Packing/Shoes|shoes]] [[Gone]] ![](assets/map.png)',
    'B/Trip.textbundle/info.json': info({ pinned: 1, archived: 1 }),
    'B/Trip.textbundle/assets/map.png': new Uint8Array([0]),
    'B/Packing.textbundle/text.md': '# Packing\n\n## Shoes\n\n![](assets/map.png)',
    'B/Packing.textbundle/info.json': info({ pinned: 0, archived: 0 }),
    'B/Packing.textbundle/assets/map.png': new Uint8Array([0]),
    'B/Gone.textbundle/text.md': '# Gone',
    'B/Gone.textbundle/info.json': info({ trashed: 1 }),
    'B/Secret.textbundle/text.md': '# Secret',
    'B/Secret.textbundle/info.json': info({ encrypted: 1 }),
  })
  const imported = await read([backup], options)
  const packing = imported.notes[1]
  expect(imported.notes).toMatchObject([
    {
      ...{ text: `# Trip\n\n[shoes](note:${packing?._id}) [[Gone]] ![](assets/map.png)`, pinned: true },
      ...{ tags: ['archived'], createdAt: '2023-10-11T08:08:52.000Z', changedAt: '2023-10-11T08:10:40.000Z' },
    },
    { text: '# Packing\n\n## Shoes\n\n![](assets/map.png)', pinned: false, tags: [] },
    { text: '# Secret' },
  ])
  expect(remarksOf(imported)).toEqual([
    'The attachment assets/map.png was left out. Its place is kept in the text.',
    'The link Gone leads to no file of this import. It is kept as text.',
    'The attachment assets/map.png was left out. Its place is kept in the text.',
    'This was deleted.',
    'The text of this note is encrypted. It was left out.',
  ])
})

test('Markdown: a task of Joplin is a task, and texts of other encodings are read', async () => {
  const text = '---\ntitle: Call Ann\ncompleted?: no\ndue: 2026-12-01 09:00:00Z\n---\n\nSoon'
  const joplin = file('Call.md', text)
  const utf16 = file('Größe.txt', new Uint16Array([...'\ufeffGrün €'].map((c) => c.charCodeAt(0))))
  const latin = file('Café.txt', new Uint8Array([0x47, 0x72, 0xfc, 0x6e, 0x20, 0x80]))
  const imported = await read([joplin, utf16, latin], options)
  expect(tasksIn(imported)).toEqual(['Call Ann | 2026-12-01 10:00 medium | Soon'])
  expect(imported.notes.map(({ text }) => text)).toEqual(['# Größe\n\nGrün €', '# Café\n\nGrün €'])
})

test('a text above its limit is split into several notes, and a long title leads the body', async () => {
  const lines = Array.from({ length: 30_000 }, (_, index) => `line ${index}`)
  const long = file('Long.md', `# Long\n\n${lines.join('\n')}`)
  const { notes } = await read([long], options)
  expect(notes).toHaveLength(4)
  expect(notes.every(({ text }) => [...text].length <= 100_000)).toBe(true)
  for (const [index, { text }] of notes.slice(0, -1).entries())
    expect(text).toContain(`(note:${notes[index + 1]?._id})`)
  const kept = notes.flatMap(({ text }) => text.split('\n').filter((line) => line.startsWith('line ')))
  expect(kept).toEqual(lines)

  const title = '😀'.repeat(501)
  const { tasks } = await read([file('tasks.csv', `title,notes\n${title},more`)], options)
  expect([...(tasks[0]?.title ?? '')]).toHaveLength(500)
  expect(tasks[0]?.body).toBe(`${title}\n\nmore`)
})

test('Google Keep: microseconds, lists, labels, what is in the trash, and the same as HTML', async () => {
  const note = {
    ...{ isTrashed: false, isPinned: true, isArchived: false, title: 'Shop' },
    ...{ createdTimestampUsec: 1_767_225_600_000_000, userEditedTimestampUsec: 1_767_312_000_000_000 },
  }
  const takeout = await zip('takeout.zip', {
    'Takeout/Keep/Shop.json': JSON.stringify({
      ...{ ...note, labels: [{ name: 'At home' }] },
      listContent: ['milk', 'bread'].map((text) => ({ text, isChecked: text === 'milk' })),
      attachments: [{ filePath: 'a.jpg', mimetype: 'image/jpeg' }],
    }),
    'Takeout/Keep/Shop.html': '<!DOCTYPE html>',
    'Takeout/Keep/Gone.json': JSON.stringify({ ...note, isTrashed: true, title: 'Gone', textContent: 'x' }),
    'Takeout/Keep/Link.json': JSON.stringify({
      ...{ ...note, isPinned: false, isArchived: true, title: '', textContent: 'Read\nlater' },
      annotations: [{ source: 'WEBLINK', title: 'A page', url: 'https://example.org/a' }],
    }),
    'Takeout/Keep/Labels.txt': 'At home',
  })
  const imported = await read([takeout], options)
  expect(imported.source).toBe('keep')
  expect(imported.notes).toMatchObject([
    {
      ...{ text: '# Shop\n\n- [x] milk\n- [ ] bread\n\nAttachment: a.jpg', pinned: true, tags: ['At home'] },
      ...{ createdAt: '2026-01-01T00:00:00.000Z', changedAt: '2026-01-02T00:00:00.000Z' },
    },
    { text: 'Read\nlater\n\nA page: https://example.org/a', pinned: false, tags: ['archived'] },
  ])
  expect(remarksOf(imported)).toEqual([
    'The attachment a.jpg was left out. Its place is kept in the text.',
    'This was deleted.',
  ])
})

test('Markdown that begins with a rule keeps its text, and values of several lines are read as YAML has them', async () => {
  const texts = {
    'rule.md': '---\n\nOne: two\nthree\n\n---\nfour',
    'list.md': '---\n- one\n---\ntwo',
    'empty.md': '---\n---\nText',
    'folded.md': '---\ntitle: >-\n  A long\n  title\ntags: ["a, b", c]\nstatus: |\n  one\n---\nText',
    'returns.md': '---\rtitle: Old\r---\rText',
  }
  const { notes } = await read([await zip('n.zip', texts)], options)
  expect(notes.map(({ text }) => text)).toEqual([
    '# rule\n\n---\n\nOne: two\nthree\n\n---\nfour',
    '# list\n\n---\n- one\n---\ntwo',
    '# empty\n\nText',
    '# A long title\n\nText\n\n```yaml\nstatus: |\n  one\n```',
    '# Old\n\nText',
  ])
})

test('Standard Notes: the backup has the notes with their times and tags, and its own records and its bin are no notes', async () => {
  const item = (type: string, uuid: string, content: object | string) => ({
    ...{ uuid, content_type: type, content, created_at: '2026-01-01T00:00:00.000Z' },
    updated_at: '2026-01-03T00:00:00.000Z',
  })
  const text = (said: string, format = 0) => ({ type: 'text', text: said, format })
  const node = (type: string, children: object[], more = {}) => ({ type, children, ...more })
  const items = [node('listitem', [text('open')]), node('listitem', [text('ticked')], { checked: true })]
  const nodes = [
    node('heading', [text('Day <one>')], { tag: 'h2' }),
    node('paragraph', [
      text('a '),
      text('b', 1),
      node('link', [text('c')], { url: 'https://example.org/?a=1&b="' }),
    ]),
    node('list', items, { tag: 'ul', listType: 'check' }),
    node('code', [text('let x'), { type: 'linebreak' }, text('*y*')]),
  ]
  const data = { pinned: true, archived: true, client_updated_at: '2026-01-02T00:00:00.000Z' }
  const stored = [
    item('SN|UserPreferences', 'p', { a: 1 }),
    item('Note', 'a', { title: 'Trip', text: 'Pack', appData: { 'org.standardnotes.sn': data } }),
    item('Note', 'b', { title: 'Gone', text: 'x', trashed: true }),
    item('Note', 'c', '004:secret'),
    item('Note', 'd', {
      title: 'Plan',
      noteType: 'super',
      text: JSON.stringify({ root: { children: nodes } }),
    }),
    item('Note', 'e', { title: 'Rich', noteType: 'rich-text', text: '<p>Read <b>this</b></p>' }),
    item('Tag', 't', { title: 'travel', references: [{ uuid: 'a', content_type: 'Note' }] }),
  ]
  const backup = await zip('sn.zip', {
    'Standard Notes Backup and Import File.txt': JSON.stringify({ version: '004', items: stored }, null, 2),
    'Items/Note/Trip-a.txt': 'Pack',
    'Items/SN|UserPreferences/p.txt': '{}',
  })
  const imported = await read([backup], options)
  expect(imported.source).toBe('standardNotes')
  expect(imported.notes).toMatchObject([
    {
      ...{ text: '# Trip\n\nPack', tags: ['travel', 'archived'], pinned: true },
      ...{ createdAt: '2026-01-01T00:00:00.000Z', changedAt: '2026-01-02T00:00:00.000Z' },
    },
    {
      text:
        '# Plan\n\n## Day <one>\n\na **b**[c](https://example.org/?a=1&b=")\n\n' +
        '- [ ] open\n- [x] ticked\n\n```\nlet x\n*y*\n```',
    },
    { text: '# Rich\n\nRead **this**' },
  ])
  expect(remarksOf(imported)).toEqual([
    'This was deleted.',
    'The text of this note is encrypted. It was left out.',
  ])
})

/** A tar as programs write it. */
function tar(files: { [name: string]: string }): Uint8Array<ArrayBuffer> {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const [header, content] = [Buffer.alloc(512), Buffer.from(text)]
    header.write(name.slice(-100), 0)
    header.write(content.length.toString(8).padStart(11, '0'), 124)
    header.write('0', 156)
    header.write('ustar', 257)
    header.write(name.slice(0, -100).replace(/\/$/, ''), 345)
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]
  })
  return new Uint8Array(Buffer.concat([...parts, Buffer.alloc(1024)]))
}

test('archives are opened to two levels: a zip in a zip, a tar, and one in a gzip', async () => {
  const inner = async (name: string, text: string) =>
    new Uint8Array(await (await zip('i.zip', { [name]: text })).content.arrayBuffer())
  const tgz = new Uint8Array(gzipSync(tar({ 'Takeout/b.md': 'Two' })))
  const files = [
    await zip('Export.zip', { 'Part-1.zip': await inner('a.md', 'One'), 'c.tgz': tgz }),
    file('takeout.tgz', tgz),
    file('notes.tar', tar({ [`${'f/'.repeat(60)}long.md`]: 'Three' })),
  ]
  const texts = async (...some: typeof files) => (await read(some, options)).notes.map(({ text }) => text)
  expect(await texts(files[0] as never)).toEqual(['# a\n\nOne', '# b\n\nTwo'])
  expect(await texts(files[1] as never)).toEqual(['# b\n\nTwo'])
  expect(await texts(files[2] as never)).toEqual(['# long\n\nThree'])
  expect(await refusalOf(file('a.tgz', tgz.slice(0, -20)))).toBe('The archive a.tgz is damaged.')
  expect(await refusalOf(file('a.tar', tar({ 'a.md': 'x'.repeat(900) }).slice(0, 900)))).toBe(
    'The archive a.tar is damaged.',
  )
})

test('Joplin: notes and tasks of a JEX with their notebooks, tags and links, and what is left out', async () => {
  const id = (letter: string) => letter.repeat(32)
  const item = (letter: string, type: number, said: string, values: object = {}) => {
    const all = Object.entries({ id: id(letter), ...values, type_: type })
    const lines = all.map(([name, value]) => `${name}: ${value}`).join('\n')
    return [`${id(letter)}.md`, said === '' ? lines : `${said}\n\n${lines}`]
  }
  const times = { created_time: '2026-01-01T00:00:00.000Z', updated_time: '2026-01-02T00:00:00.000Z' }
  const trip = `Trip\n\nSee [b](:/${id('b')}) ![](:/${id('e')}) [x](:/${id('9')})`
  const jex = Object.fromEntries([
    item('a', 1, trip, { ...times, parent_id: id('d') }),
    item('b', 1, 'Call', {
      parent_id: id('c'),
      is_todo: 1,
      todo_due: Date.UTC(2026, 11, 1, 9),
      todo_completed: 0,
    }),
    item('8', 1, 'Gone\n\nx', { deleted_time: 1 }),
    ...[item('c', 2, 'House'), item('d', 2, 'Plans', { parent_id: id('c') }), item('e', 4, 'map.png')],
    ...[item('f', 5, 'travel'), item('7', 6, '', { note_id: id('a'), tag_id: id('f') })],
  ])
  const imported = await read([file('n.jex', tar(jex))], options)
  const [call] = imported.tasks
  expect(tasksIn(imported)).toEqual(['Call | 2026-12-01 10:00 medium in House'])
  expect(imported.notes).toMatchObject([
    {
      text: `# Trip\n\nSee [b](task:${call?._id}) [map.png] [x](:/${id('9')})`,
      ...{ list: 'House/Plans', tags: ['travel'], createdAt: '2026-01-01T00:00:00.000Z' },
    },
  ])
  expect(remarksOf(imported)).toEqual([
    'The attachment map.png was left out. Its place is kept in the text.',
    `The link ${id('9')} leads to no file of this import. It is kept as text.`,
    'This was deleted.',
  ])
})

test('Evernote: notes, checkboxes, reminders, tasks, tags and attachments, whatever document type is declared', async () => {
  const note = (title: string, content: string, more = '') =>
    `<note><title>${title}</title><created>20260101T100000Z</created><updated>20260102T100000Z</updated>${more}` +
    `<content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "x"><en-note>${content}</en-note>]]></content>`
  const task =
    '<task><title>Book &amp; pay</title><taskStatus>open</taskStatus><taskFlag>true</taskFlag>' +
    '<dueDate>20261201T090000Z</dueDate><reminder><reminderDate>20261201T080000Z</reminderDate></reminder></task>' +
    '<task><title>Water</title><dueDate>20261208T040000Z</dueDate><dueDateUIOption>date_only</dueDateUIOption>' +
    '<timeZone>America/Los_Angeles</timeZone><recurrence>RRULE:FREQ=WEEKLY;BYDAY=MO</recurrence>' +
    '<repeatAfterCompletion>true</repeatAfterCompletion></task>'
  const attributes = (some: string) => `<note-attributes>${some}</note-attributes>`
  const enex = [
    '<?xml version="1.0"?>\n<!DOCTYPE en-export SYSTEM "http://x/y.dtd">\n<en-export>',
    note(
      'Trip',
      '<div>Read &lt;this&gt;</div><div><en-todo checked="true"/>pack</div><div><en-todo/>go</div><en-media/>' +
        '<ul><li>one<ul><li><b>two</b></li></ul></li></ul><table><tr><td>a</td><td>b</td></tr></table>' +
        '<div style="--en-codeblock:true;"><div>let x</div><div>*y*</div></div><div style="--en-task-group:true">Not shown</div>' +
        '<a href="evernote:///view/1">Call</a> <a href="evernote:///view/2">Elsewhere</a>',
      '<tag>travel</tag>',
    ),
    `<resource><data>AAAA</data><resource-attributes><file-name>map.png</file-name></resource-attributes></resource>${task}</note>`,
    `${note('Call', '<div>Ann</div>', attributes('<reminder-time>20261202T090000Z</reminder-time>'))}</note>`,
    `${note('Plan', '<div>Ben</div>', attributes('<reminder-order>0</reminder-order>'))}</note></en-export>`,
  ].join('\n')
  const imported = await read([file('Plans.enex', enex)], options)
  const call = imported.tasks.find(({ title }) => title === 'Call')
  expect(imported.notes).toMatchObject([
    {
      text:
        '# Trip\n\nRead <this>\n\n- [x] pack\n- [ ] go\n\n[picture]\n\n- one\n  - **two**\n\n| a | b |\n| --- | --- |\n\n' +
        `\`\`\`\nlet x\n*y*\n\`\`\`\n\n[Call](task:${call?._id}) [[Elsewhere]]\n\nAttachment: map.png`,
      ...{ list: 'Plans', tags: ['travel'], changedAt: '2026-01-02T10:00:00.000Z' },
    },
    { text: '# Plan\n\nBen' },
  ])
  expect(tasksIn(imported)).toEqual([
    'Book & pay | 2026-12-01 10:00 high remind 2026-12-01T09:00 in Plans #travel | Note: Trip',
    'Water | 2026-12-07 medium FREQ=WEEKLY;BYDAY=MO after done in Plans #travel | Note: Trip',
    'Call | 2026-12-02 10:00 medium in Plans | Ann',
  ])
  expect(remarksOf(imported)).toEqual([
    'The attachment map.png was left out. Its place is kept in the text.',
    'The link Elsewhere leads to no file of this import. It is kept as text.',
  ])
})

test('Notion: titles, links and lists without ids, and a database whose pages are tasks', async () => {
  const id = (letter: string) => letter.repeat(32)
  const pages = {
    [`Home ${id('a')}.md`]: `# Home\n\nSee [Pack](Tasks%20${id('b')}/Pack%20${id('c')}.md) and [Idea](Home/Idea%20${id('d')}.md)`,
    [`Home/Idea ${id('d')}.md`]: '# Idea\n\nText',
    [`Tasks ${id('b')}.csv`]: 'Name,Due,Status,Tags\nPack,"December 1, 2026",Not started,"a, b"\n',
    [`Tasks ${id('b')}_all.csv`]:
      '\ufeffName,Due,Status,Tags\nPack,"@December 1, 2026",Not started,"a, b"\nGo,"December 2, 2026 9:00 AM",Done,\n',
    [`Tasks ${id('b')}/Pack ${id('c')}.md`]:
      '# Pack\n\nDue: December 1, 2026\nStatus: Not started\nTags: a, b\n\nShoes: two\n',
    [`Books ${id('e')}.csv`]: 'Name,Author\nIt,King\n',
    [`Books ${id('e')}/It ${id('f')}.md`]: '# It\n\nAuthor: King\n',
    [`Habits ${id('1')}.csv`]: 'Date,Swam\n"@December 1, 2026",No\n',
    [`Habits ${id('1')}/@December 1, 2026 ${id('2')}.md`]: '# @December 1, 2026\n\nSwam: No\n',
  }
  const part = new Uint8Array(await (await zip('p.zip', pages)).content.arrayBuffer())
  const imported = await read([await zip('Export.zip', { 'Part-1.zip': part })], options)
  expect(imported.source).toBe('notion')
  const [pack] = imported.tasks
  const idea = imported.notes.find(({ text }) => text.startsWith('# Idea'))
  expect(tasksIn(imported)).toEqual([
    'Pack | 2026-12-01 medium in Tasks #a #b | Shoes: two',
    'Go | 2026-12-02 09:00 medium in Tasks done 2026-11-26T12:00:00.000Z',
  ])
  expect(imported.notes).toMatchObject([
    { text: `# Home\n\nSee [Pack](task:${pack?._id}) and [Idea](note:${idea?._id})`, list: null },
    { text: '# Idea\n\nText', list: 'Home' },
    { text: '# It\n\nAuthor: King', list: 'Books' },
    { text: '# @December 1, 2026\n\nSwam: No', list: 'Habits' },
  ])
  const remark = 'The file does not say when this was done. The time of the import is stored.'
  expect(remarksOf(imported)).toEqual([remark])
})
