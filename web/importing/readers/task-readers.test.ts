import { expect, test } from 'vitest'
import { isZone } from '#contract/zone-clock.ts'
import { isDayFirstIn, windowsZones } from '../parsing/days.ts'
import { pastedName } from '../parsing/entries.ts'
import { file, options, remarksOf, zip } from '../testing/import-files.ts'
import { read } from './read-files.ts'

const todoistHeader =
  'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,meta,DEADLINE,DEADLINE_LANG,IS_COLLAPSED'

test('Todoist: parts, comments, sections, labels, priorities and days in words', async () => {
  const backup = await zip('backup.zip', {
    'House [2203306141].csv': [
      `\ufeff${todoistHeader}`,
      'meta,view_style=list,,,,,,,,,,,,,,',
      'task,Paint the door @home @week,"Two coats,\nwhite",1,1,Ann (1),,17 Aug,en,Europe/Berlin,,,,,,',
      'task,Buy paint,,4,2,Ann (1),,tomorrow,en,,,,,,,',
      'note,"Ask first [[file {""file_name"":""plan.pdf"",""file_url"":""https://x""}]]",,,,Ann (1),,2026-08-01T10:00:00.000000Z,,,,,,,,',
      ',,,,,,,,,,,,,,,',
      'section,Garden,All summer,,,,,,,,,,,,,',
      'task,Water,,,1,,,every! 3 days,en,,,,,,,',
      'task,Weed @home,,1,2,,,,en,,,,,,,',
      'task,Mow,,3,1,,,every 3rd friday,en,,,,,,,',
      'task,Rake,,2,1,,,2026-12-24T17:00:00+0000,en,Europe/Berlin,,,,,,',
      'task,Howl,,2,1,,,every full moon,en,,30,minute,,,,',
      'task,Look,,3,1,,,ev sun,en,,,,,,,',
      'task,Call a@b.org,,2,1,,,next tuesday at noon,en,,,,,2026-12-24,en,',
      'task,Rest,,2,1,,,every weekend,en,,,,,,,',
      'task,Gießen,,2,1,,,jeden Tag um 9,de,,,,,,,',
      'task,Correr,,2,1,,,cada día,es,,,,,,,',
    ].join('\n'),
  })
  const imported = await read([backup], options)
  expect(imported).toMatchObject({ source: 'todoist', notes: [] })
  expect(imported.tasks).toMatchObject([
    {
      title: 'Paint the door',
      dueDate: '2026-08-17',
      priority: 'high',
      list: 'House',
      tags: ['home', 'week'],
    },
    {
      title: 'Water',
      dueDate: '2026-11-26',
      repeat: 'FREQ=DAILY;INTERVAL=3',
      repeatFrom: 'done',
      priority: 'high',
      body: '- [ ] Weed #home',
    },
    {
      title: 'Mow',
      repeat: 'FREQ=MONTHLY;BYDAY=3FR',
      dueDate: '2026-12-18',
      priority: 'low',
      list: 'House/Garden',
    },
    { title: 'Rake', dueDate: '2026-12-24', dueTime: '18:00', priority: 'medium' },
    { title: 'Howl', dueDate: null, repeat: null, body: 'Repeat: every full moon' },
    { title: 'Look', dueDate: '2026-11-29', repeat: 'FREQ=WEEKLY;BYDAY=SU' },
    {
      ...{ title: 'Call a@b.org', tags: [], dueDate: '2026-12-01', dueTime: '12:00' },
      body: 'Deadline: 2026-12-24',
    },
    { title: 'Rest', dueDate: '2026-11-28', repeat: 'FREQ=WEEKLY;BYDAY=SA' },
    { title: 'Gießen', dueTime: '09:00', repeat: 'FREQ=DAILY' },
    { title: 'Correr', dueDate: null, repeat: null, body: 'Due: cada día' },
  ])
  expect(imported.tasks[0]?.body).toBe(
    'Two coats,\nwhite\n\n- [ ] Buy paint (2026-11-27)\n  ## Comments\n\n  **2026-08-01**\n\n  Ask first Attachment: plan.pdf',
  )
  expect(imported.rows.map(({ place, becomes }) => [place.row, becomes])).toEqual([
    ...[
      [2, 'nothing'],
      [3, 'task'],
      [4, 'checkbox'],
      [5, 'comment'],
      [7, 'list'],
    ],
    ...[
      [8, 'task'],
      [9, 'checkbox'],
      [10, 'task'],
      [11, 'task'],
      [12, 'task'],
      [13, 'task'],
    ],
    ...[14, 15, 16, 17].map((row) => [row, 'task']),
  ])
  expect(imported.rows[3]?.item).toBe(imported.tasks[0]?._id)
  expect(remarksOf(imported)).toEqual([
    'This is neither a task nor a note.',
    'A checkbox has no due date. 2026-11-27 is in its text.',
    'The attachment plan.pdf was left out. Its place is kept in the text.',
    'DESCRIPTION was left out: All summer.',
    'priority was left out: high.',
    'DURATION was left out: 30.',
    'Daymark cannot repeat a task so: every full moon. This is a line of the body.',
    'This is not a day that can be read: cada día. It is a line of the body.',
  ])
})

test('TickTick: preamble, days of midnight in UTC, checklists, parts before wholes, notes, alarms', async () => {
  const header =
    'Folder Name,List Name,Title,Kind,Tags,Content,Is Check list,Start Date,Due Date,Reminder,Repeat,Priority,Status,Created Time,Completed Time,Order,Timezone,Is All Day,Is Floating,Column Name,Column Order,View Mode,taskId,parentId'
  const text = [
    '"Date: 2026-11-20+0000"',
    '"Version: 7.1"',
    '"Status: ',
    '0 Normal',
    '1 Completed"',
    header.replace(/[^,]+/g, '"$&"'),
    ',Home,Part,TEXT,,,N,,,,,0,0,2026-01-01T08:00:00+0000,,1,Europe/Berlin,,,,,list,12,11',
    'Family,Home,Whole,CHECKLIST,"urgent, work","Text\r▫ open\r▪ done",Y,,2018-12-11T23:00:00+0000,TRIGGER:P0DT9H0M0S,RRULE:FREQ=WEEKLY;INTERVAL=1,5,0,2018-01-01T08:00:00+0000,,1,Europe/Berlin,true,false,,,list,11,',
    ',Home,Timed,TEXT,,,N,2026-12-01T08:00:00+0000,2026-12-01T08:00:00+0000,TRIGGER:-PT30M,FREQ=HOURLY,p1,0,,,1,,false,false,Doing,,list,13,',
    ',Home,Newer,TEXT,,,N,,2026-12-27 14:59:52,,,1,2,,2026-02-27T10:00:00+0000,1,,false,false,,,list,14,',
    ',Home,Never,TEXT,,,N,,,,,3,-1,,2026-02-27T10:00:00+0000,1,,,,,,list,15,',
    ',Ideas,A note,NOTE,,Some text,N,,,,,0,0,,,1,,,,,,list,16,',
    ',Home,Floating,TEXT,,,N,,2026-12-01T13:00:00+0000,,,0,1,,2026-02-27T10:00:00+0000,1,America/New_York,false,true,,,list,17,',
  ].join('\r\n')
  const imported = await read([file('TickTick.csv', `\ufeff${text}`)], options)
  expect(imported.source).toBe('ticktick')
  expect(imported.tasks).toMatchObject([
    {
      title: 'Whole',
      dueDate: '2018-12-12',
      dueTime: null,
      priority: 'high',
      repeat: 'FREQ=WEEKLY',
      reminders: '0d09:00',
    },
    {
      title: 'Timed',
      dueDate: '2026-12-01',
      dueTime: '09:00',
      priority: 'high',
      reminders: '30m',
      body: 'Repeat: FREQ=HOURLY',
    },
    {
      title: 'Newer',
      dueDate: '2026-12-27',
      dueTime: '14:59',
      priority: 'low',
      doneAt: '2026-02-27T10:00:00.002Z',
    },
    { title: 'Never', doneAt: '2026-02-27T10:00:00.001Z', priority: 'medium' },
    { title: 'Floating', dueTime: '08:00', priority: 'medium', doneAt: '2026-02-27T10:00:00.000Z' },
  ])
  expect(imported.tasks[0]).toMatchObject({ list: 'Family/Home', tags: ['urgent', 'work'] })
  expect(imported.tasks[0]?.body).toBe('Text\n\n- [ ] Part\n\n- [ ] open\n- [x] done')
  expect(imported.notes).toMatchObject([{ text: '# A note\n\nSome text', list: 'Ideas' }])
  expect(remarksOf(imported)).toEqual([
    'Column Name was left out: Doing.',
    'Daymark cannot repeat a task so: FREQ=HOURLY. This is a line of the body.',
    'This was not to be done any more. It is done here.',
  ])

  // A row without the time of its creation is another task in a backup that has other texts.
  const others = await read([file('TickTick.csv', text.replace('Timed', 'Another'))], options)
  expect(others.tasks.map(({ _id }, index) => _id === imported.tasks[index]?._id)).toEqual([
    ...[true, false, true, true, true],
  ])

  const elsewhere = await read([file('TickTick.csv', text)], { ...options, zone: 'America/New_York' })
  expect(elsewhere.tasks).toMatchObject([
    { title: 'Whole', dueDate: '2018-12-12', dueTime: null },
    { title: 'Timed', dueDate: '2026-12-01', dueTime: '03:00' },
    ...[{ title: 'Newer', dueTime: '14:59' }, { title: 'Never' }, { title: 'Floating', dueTime: '08:00' }],
  ])
})

test('Google Tasks: a due instant is a day, parts and links become text, deleted ones stay out', async () => {
  const items = [
    { id: 'f', title: 'Last part', parent: 'a', status: 'needsAction', position: '00000000000000000001' },
    {
      ...{ id: 'b', title: 'Part', parent: 'a', position: '00000000000000000000' },
      ...{ status: 'completed', completed: '2026-11-01T10:00:00.000Z' },
    },
    {
      id: 'a',
      title: 'Whole',
      notes: 'More',
      due: '2026-11-30T00:00:00.000Z',
      status: 'needsAction',
      links: [{ type: 'email', description: 'Mail', link: 'https://mail.google.com/1' }],
    },
    { id: 'c', title: 'Gone', deleted: true },
    { id: 'd', title: 'Done', status: 'completed', completed: '2026-11-01T10:00:00.000Z', hidden: true },
    { id: 'e', title: '' },
  ]
  const text = JSON.stringify({
    kind: 'tasks#taskLists',
    items: [{ kind: 'tasks#tasks', title: 'My list', items }],
  })
  const takeout = await zip('takeout.zip', {
    'Takeout/Tasks/Tasks.json': text,
    'Takeout/archive_browser.html': '<html>',
  })
  const imported = await read([takeout], { ...options, zone: 'America/Los_Angeles' })
  expect(imported.tasks).toMatchObject([
    {
      title: 'Whole',
      dueDate: '2026-11-30',
      dueTime: null,
      list: 'My list',
      body: 'More\n\n- [x] Part\n- [ ] Last part\n\nMail: https://mail.google.com/1',
    },
    { title: 'Done', doneAt: '2026-11-01T10:00:00.000Z' },
  ])
  expect(remarksOf(imported)).toEqual([
    'This was deleted.',
    'The row is blank.',
    'The file Takeout/archive_browser.html was left out.',
  ])
})

test('Vikunja: years of 1 are none, HTML is text, relations, comments, files and repeats', async () => {
  const zero = '0001-01-01T00:00:00Z'
  const task = {
    description: '',
    done: false,
    done_at: zero,
    due_date: zero,
    repeat_after: 0,
    repeat_mode: 0,
    priority: 0,
    created: '2026-01-01T00:00:00Z',
  }
  const data = [
    {
      id: 1,
      title: 'House',
      tasks: [
        { ...task, id: 2, title: 'Part', done: true, done_at: '2026-02-01T00:00:00Z' },
        {
          ...{
            ...task,
            id: 1,
            title: 'Whole',
            due_date: '2026-12-01T16:30:00Z',
            repeat_after: 1_209_600,
            repeat_mode: 2,
          },
          description:
            '<p>Read <a href="https://example.org">this</a> &amp; that</p><ul><li data-checked="true"><p>one</p></li></ul>',
          ...{ priority: 4, labels: [{ title: 'big work' }], related_tasks: { subtask: [{ id: 2 }] } },
          comments: [{ comment: 'Yes', author: { username: 'ann' }, created: '2026-02-01T00:00:00Z' }],
          attachments: [{ file: { name: 'plan.pdf' } }],
          reminders: [{ reminder: '2026-12-01T08:00:00Z' }],
        },
        {
          ...{ ...task, id: 3, title: 'Monthly', due_date: '2026-12-01T16:30:00Z', repeat_mode: 1 },
          ...{ start_date: '2026-11-30T08:00:00Z', end_date: zero },
        },
        { ...task, id: 4, title: 'Hourly', due_date: '2026-12-01T16:30:00Z', repeat_after: 3600 },
      ],
      child_projects: [
        {
          title: 'Garden',
          tasks: [{ ...task, id: 5, title: 'Dig', labels: null, comments: null, related_tasks: null }],
        },
      ],
    },
  ]
  const exported = await zip('vikunja.zip', {
    VERSION: '1.0.0',
    'data.json': JSON.stringify(data),
    'filters.json': '[]',
  })
  const imported = await read([exported], options)
  expect(imported.source).toBe('vikunja')
  expect(imported.tasks).toMatchObject([
    {
      title: 'Whole',
      dueDate: '2026-12-01',
      dueTime: '17:30',
      repeat: 'FREQ=WEEKLY;INTERVAL=2',
      repeatFrom: 'done',
      reminders: '2026-12-01T09:00',
      tags: ['big work'],
      list: 'House',
    },
    { title: 'Monthly', repeat: 'FREQ=MONTHLY', body: 'Start: 2026-11-30' },
    { title: 'Hourly', repeat: null, body: 'Repeat: every 3600 seconds' },
    { title: 'Dig', list: 'Garden', dueDate: null, doneAt: null },
  ])
  expect(imported.tasks[0]?.body).toBe(
    'Read [this](https://example.org) & that\n\n- [x] one\n\n- [x] Part\n\nAttachment: plan.pdf\n\n## Comments\n\n**ann, 2026-02-01**\n\nYes',
  )
})

test('ICS: folded and escaped lines, zones, floating times, relations, overrides, alarms', async () => {
  const text = [
    'BEGIN:VCALENDAR',
    'X-WR-CALNAME:Home',
    'BEGIN:VTIMEZONE',
    'TZID:America/New_York',
    'END:VTIMEZONE',
    'BEGIN:VTODO',
    'UID:part',
    'SUMMARY:Part',
    'RELATED-TO;RELTYPE=PARENT:whole',
    'STATUS:COMPLETED',
    'END:VTODO',
    'BEGIN:VTODO',
    'UID:whole',
    'SUMMARY:Wash\\, dry\\; and',
    '  fold',
    'DESCRIPTION:One\\nTwo: \\\\n',
    'DUE;TZID=America/New_York:20261201T030000',
    'PRIORITY:1',
    'CATEGORIES:Big work,Home',
    'CATEGORIES:third\\,one',
    'RRULE:FREQ=DAILY;UNTIL=20261224T230000Z',
    'ATTACH;FMTTYPE=application/pdf;FILENAME="a;b.pdf":https://example.org/1',
    'X-APPLE-SORT-ORDER:1',
    'BEGIN:VALARM',
    'TRIGGER;RELATED=END:-PT15M',
    'END:VALARM',
    'END:VTODO',
    'BEGIN:VTODO',
    'UID:whole',
    'RECURRENCE-ID:20261101T030000Z',
    'SUMMARY:Wash',
    'COMPLETED:20261101T100000Z',
    'RRULE:FREQ=DAILY',
    'END:VTODO',
    'BEGIN:VTODO',
    'SUMMARY:Day',
    'DTSTART;VALUE=DATE:20261129',
    'DUE;VALUE=DATE:20261201',
    ...['BEGIN:VALARM', 'TRIGGER;RELATED=END:PT0S', 'END:VALARM'],
    ...['BEGIN:VALARM', 'TRIGGER;VALUE=DATE-TIME:19760401T005545Z', 'ACTION:NONE', 'END:VALARM'],
    'RRULE:FREQ=YEARLY;BYWEEKNO=20',
    'END:VTODO',
    'BEGIN:VTODO',
    'SUMMARY:Floating',
    'DUE:20261201T080000',
    'PRIORITY:9',
    'END:VTODO',
    ...['BEGIN:VTODO', 'SUMMARY:Prefixed', 'PERCENT-COMPLETE:40'],
    'DUE;TZID=/freeassociation.sourceforge.net/America/New_York:20261201T030000',
    'END:VTODO',
    ...['BEGIN:VTODO', 'SUMMARY:Long', 'DTSTART:20261201T080000', 'DURATION:P1DT2H'],
    ...['BEGIN:VALARM', 'TRIGGER:-PT10M', 'END:VALARM'],
    ...['BEGIN:VALARM', 'TRIGGER;RELATED=END:-PT5M', 'END:VALARM'],
    'END:VTODO',
    ...['BEGIN:VTODO', 'SUMMARY:Whole', 'DTSTART;VALUE=DATE:20261130', 'DURATION:P2D'],
    ...['BEGIN:VALARM', 'TRIGGER:-PT6H', 'END:VALARM', 'END:VTODO'],
    ...['BEGIN:VTODO', 'SUMMARY:Ready', 'PERCENT-COMPLETE:100', 'DTSTART;VALUE=DATE:20261130', 'END:VTODO'],
    'BEGIN:VEVENT',
    'SUMMARY:Party',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')
  const imported = await read([file('tasks.ics', text)], options)
  expect(imported.source).toBe('icalendar')
  expect(imported.tasks).toMatchObject([
    {
      title: 'Wash, dry; and fold',
      dueDate: '2026-12-01',
      dueTime: '09:00',
      priority: 'high',
      list: 'Home',
      reminders: '15m',
      repeat: 'FREQ=DAILY;UNTIL=20261224',
    },
    { title: 'Wash', doneAt: '2026-11-01T10:00:00.000Z', body: 'Repeat: FREQ=DAILY' },
    {
      ...{ title: 'Day', dueDate: '2026-12-01', dueTime: null, reminders: null },
      body: 'Start: 2026-11-29\nRepeat: FREQ=YEARLY;BYWEEKNO=20',
    },
    { title: 'Floating', dueTime: '08:00', priority: 'low' },
    { title: 'Prefixed', dueTime: '09:00', doneAt: null },
    { title: 'Long', dueDate: '2026-12-02', dueTime: '10:00', reminders: '1570m 5m' },
    { title: 'Whole', dueDate: '2026-12-02', dueTime: null, reminders: '3d18:00' },
    { title: 'Ready', dueDate: '2026-11-30', doneAt: '2026-11-26T12:00:00.000Z' },
  ])
  expect(imported.tasks[0]).toMatchObject({
    body: 'One\nTwo: \\n\n\n- [x] Part\n\nAttachment: a;b.pdf',
    tags: ['Big work', 'Home', 'third,one'],
  })
  expect(new Set(imported.tasks.map(({ _id }) => _id)).size).toBe(8)
  expect(imported.rows.at(-1)).toMatchObject({ place: { row: 82 }, becomes: 'nothing' })
  expect(remarksOf(imported)).toContain('PERCENT-COMPLETE was left out: 40.')
})

test('a pasted list: what is inside an item is a checkbox of it, headings are lists, other lines are texts', async () => {
  const text =
    '# Garden\n- [ ] Sow\n    the early ones\n\t- [x] Peas\n\t\t1. dwarf\n  * Beans\n- Mow\nand rake\n'
  const imported = await read([file(pastedName, text)], options)
  expect(imported.source).toBe('outline')
  expect(imported.tasks.map(({ title, body, list }) => [title, body, list])).toEqual([
    ['Sow', 'the early ones\n\n- [x] Peas\n  - [ ] dwarf\n- [ ] Beans', 'Garden'],
    ['Mow', 'and rake', 'Garden'],
  ])
  expect(imported.rows.map(({ becomes }) => becomes)).toEqual([
    'list',
    'task',
    'text',
    'checkbox',
    'checkbox',
    'checkbox',
    'task',
    'text',
  ])
  const table = await read([file(pastedName, 'Title\tDue\nSow\t2027-04-03\n')], options)
  expect(table).toMatchObject({ source: 'table', tasks: [{ title: 'Sow', dueDate: '2027-04-03' }] })
})

test('tasks of two files or servers that count alike are different tasks', async () => {
  const idOf = async (path: string, text: string) => (await read([file(path, text)], options)).tasks[0]?._id
  const tickTick = (title: string) =>
    idOf(
      'a.csv',
      `"Folder Name","List Name","Title","Content","Status","Created Time","taskId"\n"","L","${title}","","0","2026-01-01T08:00:00+0000","1"\n`,
    )
  expect(await tickTick('Swim')).not.toBe(await tickTick('Run'))
  expect(await idOf('a.csv', 'id,title\n1,Swim')).not.toBe(await idOf('b.csv', 'id,title\n1,Run'))
  expect(await idOf('a.csv', 'id,title\nABC-1,Swim')).toBe(await idOf('b.csv', 'id,title\nABC-1,Run'))
  const vikunja = async (created: string) => {
    const data = [{ title: 'House', tasks: [{ id: 1, title: 'Swim', created }] }]
    const exported = await zip('v.zip', { VERSION: '1', 'data.json': JSON.stringify(data) })
    return (await read([exported], options)).tasks[0]?._id
  }
  expect(await vikunja('2026-01-01T00:00:00Z')).not.toBe(await vikunja('2026-01-02T00:00:00Z'))
})

test('ICS: a letter that is folded, one line that is none and lines that carriage returns end', async () => {
  const todo = (...lines: string[]) => ['BEGIN:VTODO', ...lines, 'END:VTODO']
  const whole = [
    ...['BEGIN:VCALENDAR', 'what?', ...todo('SUMMARY:Grü', ' n 😀', 'LOCATION:', 'URL: ')],
    ...['BEGIN:VEVENT', '=20', 'END:VEVENT', ...todo('SUMMARY:Lost', 'more', 'DUE:20261201')],
    ...[...todo('SUMMARY:Kept'), 'END:VCALENDAR', ''],
  ]
  const bytes = Buffer.from(whole.join('\r\n'))
  for (const letter of ['ü', '😀']) {
    const inside = bytes.indexOf(letter) + 1
    const folded = Buffer.concat([bytes.subarray(0, inside), Buffer.from('\r\n '), bytes.subarray(inside)])
    const imported = await read([file('a.ics', folded)], options)
    expect(imported.tasks.map(({ title, body }) => [title, body])).toEqual([
      ['Grün 😀', ''],
      ['Kept', ''],
    ])
    expect(remarksOf(imported)).toEqual([
      'This was left out: row 2 of a.ics is not a line of a calendar.',
      'This was left out: row 11 of a.ics is not a line of a calendar.',
      'This was left out: row 15 of a.ics is not a line of a calendar.',
    ])
  }
  const old = await read([file('a.ics', whole.join('\r'))], options)
  expect(old.tasks.map(({ title }) => title)).toEqual(['Grün 😀', 'Kept'])
})

test('one odd letter of a file changes no other letter, and its line is listed', async () => {
  const bytes = (...parts: (string | number)[]) =>
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))))
  const cases = [
    [file('a.csv', bytes('\ufefftitle\nGrün\nCaf', 0xe9, ' ü\n')), ['Grün', 'Café ü']],
    [
      file('a.ics', bytes('BEGIN:VCALENDAR\rBEGIN:VTODO\rSUMMARY:Gr', 0xfc, 'n ü\rEND:VTODO\rEND:VCALENDAR')),
      ['Grün ü'],
    ],
  ] as const
  for (const [odd, titles] of cases) {
    const imported = await read([odd], options)
    expect(imported.tasks.map(({ title }) => title)).toEqual(titles)
    expect(imported.rows.at(-1)).toMatchObject({ place: { row: 3 }, becomes: 'text', item: null })
    expect(remarksOf(imported)).toEqual([
      'This line has letters that are not in UTF-8. They were read as Windows-1252.',
    ])
  }
  // A file without one letter in UTF-8 is in the other encoding.
  const latin = await read([file('a.csv', bytes('title\nCaf', 0xe9))], options)
  expect(latin.tasks.map(({ title }) => title)).toEqual(['Café'])
  expect(remarksOf(latin)).toEqual([])
})

/** The tasks of a calendar with these properties each, read in a zone. */
async function tasksOf(zone: string, todos: string[][], more: string[] = []) {
  const todo = todos.flatMap((lines, index) => ['BEGIN:VTODO', `SUMMARY:T${index}`, ...lines, 'END:VTODO'])
  const text = ['BEGIN:VCALENDAR', ...more, ...todo, 'END:VCALENDAR'].join('\r\n')
  return read([file('a.ics', text)], { ...options, zone })
}

test('ICS: zones by their names in Windows and as the file describes them, and one that is not known is listed', async () => {
  const part = (name: string, from: string, to: string, rule: string) => [
    `BEGIN:${name}`,
    `DTSTART:16010101T020000`,
    `TZOFFSETFROM:${from}`,
    `TZOFFSETTO:${to}`,
    `RRULE:FREQ=YEARLY;${rule}`,
    `END:${name}`,
  ]
  const zone = [
    ...['BEGIN:VTIMEZONE', 'TZID:Customized Time Zone'],
    ...part('STANDARD', '+0200', '+0100', 'BYDAY=-1SU;BYMONTH=10'),
    ...part('DAYLIGHT', '+0100', '+0200', 'BYDAY=-1SU;BYMONTH=3'),
    'END:VTIMEZONE',
  ]
  const imported = await tasksOf(
    'UTC',
    [
      [
        'DUE;TZID=Customized Time Zone:20270327T090000',
        'COMPLETED;TZID="Customized Time Zone":20260701T090000',
      ],
      ['DUE;TZID=Customized Time Zone:20270328T090000'],
      ['DUE;TZID="Pacific Standard Time":20270701T090000'],
      ['DUE;TZID=Europe/Berlin:20270701T090000'],
      ['DUE;TZID=Moon:20270701T090000'],
      ['DUE;VALUE=DATE;TZID=Moon:20270701'],
    ],
    zone,
  )
  expect(imported.tasks.map(({ dueTime }) => dueTime)).toEqual([
    '08:00',
    '07:00',
    '16:00',
    '07:00',
    '09:00',
    null,
  ])
  expect(imported.tasks[0]?.doneAt).toBe('2026-07-01T07:00:00.000Z')
  expect(remarksOf(imported)).toEqual([
    'The time zone Moon is not known. The time is as it is on the clock of the file.',
  ])
  expect([...windowsZones].filter(([, name]) => !isZone(name ?? ''))).toEqual([])
})

test('a rule has the days of its task, wherever it counts from, and ends on its last day', async () => {
  const due = (day: string) => `DUE;VALUE=DATE:${day}`
  const cases: [zone: string, lines: string[], repeat: string | null][] = [
    // It starts before it is due.
    [
      'UTC',
      ['DTSTART;VALUE=DATE:20261207', due('20261209'), 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU'],
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,WE;WKST=WE',
    ],
    [
      'UTC',
      ['DTSTART;VALUE=DATE:20261207', due('20261209'), 'RRULE:FREQ=MONTHLY;BYMONTHDAY=7'],
      'FREQ=MONTHLY;BYMONTHDAY=9',
    ],
    ['UTC', ['DTSTART;VALUE=DATE:20261207', due('20261209'), 'RRULE:FREQ=MONTHLY;BYDAY=1MO'], null],
    [
      'UTC',
      ['DTSTART;VALUE=DATE:20261207', due('20261209'), 'RRULE:FREQ=DAILY;UNTIL=20261220'],
      'FREQ=DAILY;UNTIL=20261222',
    ],
    // The zone moves the day.
    [
      'Europe/Berlin',
      ['DUE;TZID=America/Los_Angeles:20261207T200000', 'RRULE:FREQ=WEEKLY;BYDAY=MO'],
      'FREQ=WEEKLY;BYDAY=TU',
    ],
    ['America/New_York', ['DUE:20261208T020000Z', 'RRULE:FREQ=WEEKLY;BYDAY=TU'], 'FREQ=WEEKLY;BYDAY=MO'],
    // The end is an instant.
    [
      'America/New_York',
      [due('20261207'), 'RRULE:FREQ=DAILY;UNTIL=20261224T000000Z'],
      'FREQ=DAILY;UNTIL=20261224',
    ],
    [
      'America/New_York',
      ['DUE:20261207T090000', 'RRULE:FREQ=DAILY;UNTIL=20261225T045959Z'],
      'FREQ=DAILY;UNTIL=20261224',
    ],
    [
      'Europe/Berlin',
      ['DUE:20261207T080000Z', 'RRULE:FREQ=DAILY;UNTIL=20261224T080000Z'],
      'FREQ=DAILY;UNTIL=20261224',
    ],
    [
      'Europe/Berlin',
      ['DUE:20261207T080000Z', 'RRULE:FREQ=DAILY;UNTIL=20261224T075900Z'],
      'FREQ=DAILY;UNTIL=20261223',
    ],
  ]
  for (const [zone, lines, repeat] of cases) {
    const { tasks } = await tasksOf(zone, [lines])
    expect([lines, tasks[0]?.repeat]).toEqual([lines, repeat])
    expect(tasks[0]?.repeatDay).toBe(repeat === null ? null : tasks[0]?.dueDate)
  }
  const header = 'Folder Name,List Name,Title,Content,Status,Start Date,Due Date,Repeat,Timezone,Is All Day'
  const tickTick = `${header}\n,L,T,,0,2026-12-08T04:00:00+0000,2026-12-08T04:00:00+0000,FREQ=WEEKLY;BYDAY=MO,America/Los_Angeles,false\n`
  const table = 'title,due,repeat\nT,2026-12-07T20:00-08:00,FREQ=WEEKLY;BYDAY=MO\n'
  for (const text of [tickTick, table])
    expect((await read([file('a.csv', text)], options)).tasks).toMatchObject([
      { dueDate: '2026-12-08', repeat: 'FREQ=WEEKLY;BYDAY=TU', repeatDay: '2026-12-08' },
    ])
})

test('what a source adds to a rule is a line and listed, and days that are done or removed are left out at its start', async () => {
  const imported = await tasksOf('UTC', [
    ['UID:a', 'DTSTART:20261207T090000', 'DUE:20261208T090000', 'RRULE:FREQ=DAILY;COUNT=9'],
    ['UID:a', 'RECURRENCE-ID:20261207T090000', 'DUE:20261208T090000', 'COMPLETED:20261208T080000Z'],
    ['UID:a', 'RECURRENCE-ID:20261208T090000', 'DUE:20261211T090000'],
    [
      'UID:b',
      'DUE;VALUE=DATE:20261207',
      'RRULE:FREQ=WEEKLY',
      'RRULE:FREQ=MONTHLY',
      'EXDATE:20261207,20261221',
      'RDATE:20261209',
    ],
  ])
  expect(imported.tasks).toMatchObject([
    { dueDate: '2026-12-10', repeatDay: '2026-12-10', repeat: 'FREQ=DAILY;COUNT=7', doneAt: null },
    { dueDate: '2026-12-08', repeat: null, doneAt: '2026-12-08T08:00:00.000Z' },
    { dueDate: '2026-12-11', repeat: null, doneAt: null },
    {
      ...{ dueDate: '2026-12-14', repeat: 'FREQ=WEEKLY' },
      body: 'Repeat: FREQ=MONTHLY\nExcept: 20261207,20261221\nAlso: 20261209',
    },
  ])
  const added = (repeat: string) =>
    `A task of Daymark has one rule and no days beside it. ${repeat} is a line of the body.`
  expect(remarksOf(imported)).toEqual(
    ['RRULE:FREQ=MONTHLY', 'Except: 20261207,20261221', 'Also: 20261209'].map(added),
  )
  const later = await tasksOf('UTC', [
    ['UID:a', 'DUE:20261207T090000', 'RRULE:FREQ=DAILY'],
    ['UID:a', 'RECURRENCE-ID:20261209T090000', 'DUE:20261209T090000', 'COMPLETED:20261208T080000Z'],
  ])
  expect(later.tasks.map(({ dueDate }) => dueDate)).toEqual(['2026-12-07', '2026-12-09'])
  expect(remarksOf(later)).toEqual([
    'The file has tasks of their own for later days of this repeat. It comes on these days, too: 2026-12-09.',
  ])
  const table = 'title,due,repeat\nT,2026-12-07,"RRULE:FREQ=DAILY\nEXDATE:20261209"\n'
  expect(remarksOf(await read([file('a.csv', table)], options))).toEqual([added('EXDATE:20261209')])
})

test('words of days that have a year, also of a repeat and its end', async () => {
  const days = {
    'every week until 1 feb 2027': ['2026-11-26', 'FREQ=WEEKLY;UNTIL=20270201'],
    'every day until 31 dec 2026': ['2026-11-26', 'FREQ=DAILY;UNTIL=20261231'],
    'every month from 3 jan 2027': ['2027-01-03', 'FREQ=MONTHLY'],
    'jede Woche bis 1. Februar 2027': ['2026-11-26', 'FREQ=WEEKLY;UNTIL=20270201'],
    'every day until 1 feb 2020': [null, null],
    '1 feb 2020': ['2020-02-01', null],
    '1 feb 2027': ['2027-02-01', null],
    '17 Aug': ['2026-08-17', null],
  }
  const rows = Object.keys(days).map((day, index) => `T${index},${day}`)
  const { tasks } = await read([file('a.csv', ['title,due', ...rows].join('\n'))], options)
  expect(tasks.map(({ dueDate, repeat }) => [dueDate, repeat])).toEqual(Object.values(days))
})

test('a table of one column keeps the commas of its texts', async () => {
  const titles = async (text: string) =>
    (await read([file('a.csv', text)], options)).tasks.map(({ title }) => title)
  expect(await titles('Task\nBuy milk, eggs\nCall Ann, Bob\nWash\n')).toEqual([
    ...['Buy milk, eggs', 'Call Ann, Bob', 'Wash'],
  ])
  expect(await titles('Wash\nBuy milk, eggs\nCall\n')).toEqual(['Wash', 'Buy milk, eggs', 'Call'])
})

test('the order of day and month is that of all columns and rows, or else of the region', async () => {
  const dueOf = async (text: string, isDayFirstHere?: boolean) => {
    const more = isDayFirstHere === undefined ? {} : { isDayFirstHere }
    const { tasks, hasUnclearDays, isDayFirst } = await read([file('a.csv', text)], { ...options, ...more })
    return [tasks[0]?.dueDate, hasUnclearDays && isDayFirst]
  }
  expect(await dueOf('title,due,start\nA,3/4/2026,\nB,,4/13/2026\n')).toEqual(['2026-03-04', false])
  expect(await dueOf('title,due,created\nA,3/4/2026,13/4/2026\n', false)).toEqual(['2026-04-03', false])
  expect(await dueOf('title,due\nA,3/4/2026\n')).toEqual(['2026-04-03', true])
  const region = await read([file('a.csv', 'title,due\nA,3/4/2026\n')], { ...options, isDayFirstHere: false })
  expect(region).toMatchObject({
    hasUnclearDays: true,
    isDayFirst: false,
    tasks: [{ dueDate: '2026-03-04' }],
  })
  expect(['en-US', 'en-GB', 'de', 'fr'].map(isDayFirstIn)).toEqual([false, true, true, true])
})

test('columns of ids are no titles, and every column that says so finishes a task', async () => {
  const titles = async (...lines: string[]) =>
    (await read([file('a.csv', lines.join('\n'))], options)).tasks.map(({ title }) => title)
  expect(await titles('Task ID,Due,What', '17,2026-12-01,Swim')).toEqual(['Swim'])
  expect(await titles('Task,Due,Name', 'AB-17,2026-12-01,Swim')).toEqual(['Swim'])
  expect(await titles('Nr,Due,What', 'x,2026-12-01,Swim')).toEqual(['Swim'])
  expect(await titles('Title,Due', '2026,2026-12-01')).toEqual(['2026'])

  const done = [
    'Completed',
    'Is Done',
    'Status',
    'State',
    'Progress',
    'Finished',
    'Checked',
    'Erledigt',
    'Statut',
  ]
  const cells = ['x', 'true', 'Closed', 'resolved', 'Completed', 'yes', '✓', 'ja', 'terminé']
  for (const [index, name] of done.entries()) {
    const { tasks } = await read([file('a.csv', `title,${name}\nA,${cells[index]}\nB,\n`)], options)
    expect([name, ...tasks.map(({ doneAt }) => doneAt !== null)]).toEqual([name, true, false])
  }
  const toodledo = [
    'TASK,FOLDER,CONTEXT,GOAL,DUEDATE,PRIORITY,STATUS,COMPLETED',
    'Swim,Sport,,,2026-12-01,3,,2026-11-20',
    'Run,Sport,,,0000-00-00,-1,None,',
    'Dive,Sport,,,,1,Canceled,',
  ]
  const imported = await read([file('a.csv', toodledo.join('\n'))], options)
  expect(imported.tasks).toMatchObject([
    { title: 'Swim', priority: 'high', doneAt: '2026-11-19T23:00:00.000Z' },
    { title: 'Run', priority: 'low', dueDate: null, doneAt: null },
    { title: 'Dive', priority: 'medium', doneAt: '2026-11-26T12:00:00.000Z' },
  ])
})

test('Vikunja: reminders that count from a day of the task stay so, and older exports have lists in namespaces', async () => {
  const due = { due_date: '2026-12-01T16:30:00Z', start_date: '2026-12-01T14:30:00Z' }
  const relative = (to: string, period: number) => ({
    ...{ reminder: '2026-12-01T08:00:00Z', relative_to: to, relative_period: period },
  })
  const data = [
    {
      title: 'Work',
      lists: [
        {
          title: 'Now',
          tasks: [
            {
              id: 1,
              title: 'A',
              ...due,
              reminders: [relative('due_date', -1800), relative('start_date', -600)],
            },
            { id: 2, title: 'B', ...due, reminder_dates: ['2026-12-01T08:00:00Z'] },
            { id: 3, title: 'C', ...due, reminders: [relative('', 0)] },
          ],
        },
      ],
    },
  ]
  const exported = await zip('v.zip', { VERSION: '0.20.4', 'data.json': JSON.stringify(data) })
  expect((await read([exported], options)).tasks).toMatchObject([
    { title: 'A', list: 'Work/Now', reminders: '30m 130m' },
    { title: 'B', reminders: '2026-12-01T09:00' },
    { title: 'C', reminders: '2026-12-01T09:00' },
  ])
})

test('todo.txt: priorities, days, projects, contexts and repeats', async () => {
  const text = [
    '(A) 2026-11-01 Call Ann +Family +Home @phone due:2026-12-01 rec:+1w',
    'x 2026-11-20 2026-11-01 Pay rent pri:B https://example.org',
    'Mow due:soon rec:2b t:2026-12-01',
  ].join('\n')
  const imported = await read([file('todo.txt', text)], options)
  expect(imported.tasks).toMatchObject([
    {
      ...{ title: 'Call Ann', list: 'Family', tags: ['Home', 'phone'], priority: 'high' },
      ...{
        dueDate: '2026-12-01',
        repeat: 'FREQ=WEEKLY',
        repeatFrom: 'due',
        createdAt: '2026-10-31T23:00:00.001Z',
      },
    },
    { title: 'Pay rent https://example.org', priority: 'medium', doneAt: '2026-11-19T23:00:00.000Z' },
    { title: 'Mow', body: 'Start: 2026-12-01\nDue: soon\nRepeat: 2b' },
  ])
})
