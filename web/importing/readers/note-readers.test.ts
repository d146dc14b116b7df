import { expect, test } from 'vitest'
import { file, options, remarksOf, zip } from '../testing/import-files.ts'
import { read } from './read-files.ts'

test('Markdown: links between notes lead to them, and what cannot be kept is listed', async () => {
  const vault = {
    'Vault/Plans/Trip.md': [
      '---',
      'tags: [travel, "big plan"]',
      'aliases:',
      '  - Journey',
      'created: 2026-01-02T10:00:00Z',
      'status: open',
      '---',
      'See [[Packing]], [[Plans/Packing#Shoes|shoes]], [the list](Packing.md), [[Missing]] and ![[map.png]].',
      '',
      '```',
      '[[Packing]]',
      '```',
      'Tags of Bear: #two words# and #one.',
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
  expect(trip).toMatchObject({
    list: 'Plans',
    tags: ['travel', 'big', 'plan'],
    createdAt: '2026-01-02T10:00:00.000Z',
  })
  expect(trip?.text).toBe(
    [
      '# Trip',
      '',
      `See [Packing](note:${packing?._id}), [shoes](note:${packing?._id}), [the list](note:${packing?._id}), [[Missing]] and ![[map.png]].`,
      ...[
        '',
        '```',
        '[[Packing]]',
        '```',
        'Tags of Bear: #two-words and #one.',
        '',
        '```yaml',
        'status: open',
        '```',
      ],
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
  const joplin = file(
    'Call.md',
    '---\ntitle: Call Ann\ncompleted?: no\ndue: 2026-12-01 09:00:00Z\n---\n\nSoon',
  )
  const utf16 = file(
    'Größe.txt',
    new Uint8Array([
      0xff,
      0xfe,
      ...new Uint8Array(new Uint16Array([...'Grün €'].map((c) => c.charCodeAt(0))).buffer),
    ]),
  )
  const latin = file('Café.txt', new Uint8Array([0x47, 0x72, 0xfc, 0x6e, 0x20, 0x80]))
  const imported = await read([joplin, utf16, latin], options)
  expect(imported.tasks).toMatchObject([
    { title: 'Call Ann', body: 'Soon', dueDate: '2026-12-01', dueTime: '10:00' },
  ])
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
    isTrashed: false,
    isPinned: true,
    isArchived: false,
    title: 'Shop',
    createdTimestampUsec: 1_767_225_600_000_000,
    userEditedTimestampUsec: 1_767_312_000_000_000,
  }
  const takeout = await zip('takeout.zip', {
    'Takeout/Keep/Shop.json': JSON.stringify({
      ...note,
      listContent: [
        { text: 'milk', isChecked: true },
        { text: 'bread', isChecked: false },
      ],
      labels: [{ name: 'At home' }],
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
  const data = { pinned: true, archived: true, client_updated_at: '2026-01-02T00:00:00.000Z' }
  const items = [
    item('SN|UserPreferences', 'p', { a: 1 }),
    item('Note', 'a', { title: 'Trip', text: 'Pack', appData: { 'org.standardnotes.sn': data } }),
    item('Note', 'b', { title: 'Gone', text: 'x', trashed: true }),
    item('Note', 'c', '004:secret'),
    item('Tag', 't', { title: 'travel', references: [{ uuid: 'a', content_type: 'Note' }] }),
  ]
  const imported = await read(
    [
      await zip('sn.zip', {
        'Standard Notes Backup and Import File.txt': JSON.stringify({ version: '004', items }, null, 2),
        'Items/Note/Trip-a.txt': 'Pack',
        'Items/SN|UserPreferences/p.txt': '{}',
      }),
    ],
    options,
  )
  expect(imported.source).toBe('standardNotes')
  expect(imported.notes).toMatchObject([
    {
      ...{ text: '# Trip\n\nPack', tags: ['travel', 'archived'], pinned: true },
      ...{ createdAt: '2026-01-01T00:00:00.000Z', changedAt: '2026-01-02T00:00:00.000Z' },
    },
  ])
  expect(remarksOf(imported)).toEqual([
    'This was deleted.',
    'The text of this note is encrypted. It was left out.',
  ])
})
