import { expect, test } from 'vitest'
import { isZone } from '#contract/zone-clock.ts'
import { isDayFirstIn, windowsZones } from '../parsing/days.ts'
import { pastedName } from '../parsing/entries.ts'
import { file, options, remarksOf, tasksIn, zip } from '../testing/import-files.ts'
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
  expect(tasksIn(imported)).toEqual([
    'Paint the door | 2026-08-17 high in House #home #week | Two coats,\nwhite\n\n- [ ] Buy paint (2026-11-27)\n  ## Comments\n\n  **2026-08-01**\n\n  Ask first Attachment: plan.pdf',
    'Water | 2026-11-26 high FREQ=DAILY;INTERVAL=3 after done in House/Garden | - [ ] Weed #home',
    'Mow | 2026-12-18 low FREQ=MONTHLY;BYDAY=3FR in House/Garden',
    'Rake | 2026-12-24 18:00 medium in House/Garden',
    'Howl | medium in House/Garden | Repeat: every full moon',
    'Look | 2026-11-29 low FREQ=WEEKLY;BYDAY=SU in House/Garden',
    'Call a@b.org | 2026-12-01 12:00 medium in House/Garden | Deadline: 2026-12-24',
    'Rest | 2026-11-28 medium FREQ=WEEKLY;BYDAY=SA in House/Garden',
    'Gießen | 2026-11-27 09:00 medium FREQ=DAILY in House/Garden',
    'Correr | medium in House/Garden | Due: cada día',
  ])
  expect(imported.rows.map(({ place, becomes }) => `${place.row} ${becomes}`).join(', ')).toBe(
    '2 nothing, 3 task, 4 checkbox, 5 comment, 7 list, 8 task, 9 checkbox, 10 task, 11 task, 12 task, ' +
      '13 task, 14 task, 15 task, 16 task, 17 task',
  )
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
  expect(tasksIn(imported)).toEqual([
    'Whole | 2018-12-12 high FREQ=WEEKLY remind 0d09:00 in Family/Home #urgent #work | Text\n\n- [ ] Part\n\n- [ ] open\n- [x] done',
    'Timed | 2026-12-01 09:00 high remind 30m in Home | Repeat: FREQ=HOURLY',
    'Newer | 2026-12-27 14:59 low in Home done 2026-02-27T10:00:00.002Z',
    'Never | medium in Home done 2026-02-27T10:00:00.001Z',
    'Floating | 2026-12-01 08:00 medium in Home done 2026-02-27T10:00:00.000Z',
  ])
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
  const timed = 'Timed | 2026-12-01 03:00 high remind 30m in Home | Repeat: FREQ=HOURLY'
  expect(tasksIn(elsewhere)).toEqual(tasksIn(imported).with(1, timed))
})

test('Google Tasks: a due instant is a day, parts and links become text, deleted ones stay out', async () => {
  const items = [
    { id: 'f', title: 'Last part', parent: 'a', status: 'needsAction', position: '00000000000000000001' },
    {
      ...{ id: 'b', title: 'Part', parent: 'a', position: '00000000000000000000' },
      ...{ status: 'completed', completed: '2026-11-01T10:00:00.000Z' },
    },
    {
      ...{ id: 'a', title: 'Whole', notes: 'More', due: '2026-11-30T00:00:00.000Z', status: 'needsAction' },
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
  expect(tasksIn(imported)).toEqual([
    'Whole | 2026-11-30 medium in My list | More\n\n- [x] Part\n- [ ] Last part\n\nMail: https://mail.google.com/1',
    'Done | medium in My list done 2026-11-01T10:00:00.000Z',
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
    ...{ description: '', done: false, done_at: zero, due_date: zero, repeat_after: 0, repeat_mode: 0 },
    ...{ priority: 0, created: '2026-01-01T00:00:00Z' },
  }
  const due = { ...task, due_date: '2026-12-01T16:30:00Z' }
  const tasks = [
    { ...task, id: 2, title: 'Part', done: true, done_at: '2026-02-01T00:00:00Z' },
    {
      ...{ ...due, id: 1, title: 'Whole', repeat_after: 1_209_600, repeat_mode: 2, priority: 4 },
      description:
        '<p>Read <a href="https://example.org">this</a> &amp; that</p><ul><li data-checked="true"><p>one</p></li></ul>',
      ...{ labels: [{ title: 'big work' }], related_tasks: { subtask: [{ id: 2 }] } },
      comments: [{ comment: 'Yes', author: { username: 'ann' }, created: '2026-02-01T00:00:00Z' }],
      attachments: [{ file: { name: 'plan.pdf' } }],
      reminders: [{ reminder: '2026-12-01T08:00:00Z' }],
    },
    { ...due, id: 3, title: 'Monthly', repeat_mode: 1, start_date: '2026-11-30T08:00:00Z', end_date: zero },
    { ...due, id: 4, title: 'Hourly', repeat_after: 3600 },
  ]
  const dig = { ...task, id: 5, title: 'Dig', labels: null, comments: null, related_tasks: null }
  const data = [{ id: 1, title: 'House', tasks, child_projects: [{ title: 'Garden', tasks: [dig] }] }]
  const exported = await zip('vikunja.zip', {
    VERSION: '1.0.0',
    'data.json': JSON.stringify(data),
    'filters.json': '[]',
  })
  const imported = await read([exported], options)
  expect(imported.source).toBe('vikunja')
  expect(tasksIn(imported)).toEqual([
    'Whole | 2026-12-01 17:30 high FREQ=WEEKLY;INTERVAL=2 after done remind 2026-12-01T09:00 in House #big work | Read [this](https://example.org) & that\n\n- [x] one\n\n- [x] Part\n\nAttachment: plan.pdf\n\n## Comments\n\n**ann, 2026-02-01**\n\nYes',
    'Monthly | 2026-12-01 17:30 medium FREQ=MONTHLY in House | Start: 2026-11-30',
    'Hourly | 2026-12-01 17:30 medium in House | Repeat: every 3600 seconds',
    'Dig | medium in Garden',
  ])
})

const todo = (...lines: string[]) => ['BEGIN:VTODO', ...lines, 'END:VTODO']
const alarm = (...lines: string[]) => ['BEGIN:VALARM', ...lines, 'END:VALARM']

test('ICS: folded and escaped lines, zones, floating times, relations, overrides, alarms', async () => {
  const text = [
    ...['BEGIN:VCALENDAR', 'X-WR-CALNAME:Home'],
    ...['BEGIN:VTIMEZONE', 'TZID:America/New_York', 'END:VTIMEZONE'],
    ...todo('UID:part', 'SUMMARY:Part', 'RELATED-TO;RELTYPE=PARENT:whole', 'STATUS:COMPLETED'),
    ...todo(
      ...['UID:whole', 'SUMMARY:Wash\\, dry\\; and', '  fold', 'DESCRIPTION:One\\nTwo: \\\\n'],
      ...['DUE;TZID=America/New_York:20261201T030000', 'PRIORITY:1', 'CATEGORIES:Big work,Home'],
      ...['CATEGORIES:third\\,one', 'RRULE:FREQ=DAILY;UNTIL=20261224T230000Z'],
      'ATTACH;FMTTYPE=application/pdf;FILENAME="a;b.pdf":https://example.org/1',
      ...['X-APPLE-SORT-ORDER:1', ...alarm('TRIGGER;RELATED=END:-PT15M')],
    ),
    ...todo(
      ...['UID:whole', 'RECURRENCE-ID:20261101T030000Z', 'SUMMARY:Wash', 'COMPLETED:20261101T100000Z'],
      'RRULE:FREQ=DAILY',
    ),
    ...todo(
      ...['SUMMARY:Day', 'DTSTART;VALUE=DATE:20261129', 'DUE;VALUE=DATE:20261201'],
      ...alarm('TRIGGER;RELATED=END:PT0S'),
      ...alarm('TRIGGER;VALUE=DATE-TIME:19760401T005545Z', 'ACTION:NONE'),
      'RRULE:FREQ=YEARLY;BYWEEKNO=20',
    ),
    ...todo('SUMMARY:Floating', 'DUE:20261201T080000', 'PRIORITY:9'),
    ...todo(
      ...['SUMMARY:Prefixed', 'PERCENT-COMPLETE:40'],
      'DUE;TZID=/freeassociation.sourceforge.net/America/New_York:20261201T030000',
    ),
    ...todo(
      ...['SUMMARY:Long', 'DTSTART:20261201T080000', 'DURATION:P1DT2H', ...alarm('TRIGGER:-PT10M')],
      ...alarm('TRIGGER;RELATED=END:-PT5M'),
    ),
    ...todo('SUMMARY:Whole', 'DTSTART;VALUE=DATE:20261130', 'DURATION:P2D', ...alarm('TRIGGER:-PT6H')),
    ...todo('SUMMARY:Ready', 'PERCENT-COMPLETE:100', 'DTSTART;VALUE=DATE:20261130'),
    ...['BEGIN:VEVENT', 'SUMMARY:Party', 'END:VEVENT', 'END:VCALENDAR'],
  ].join('\r\n')
  const imported = await read([file('tasks.ics', text)], options)
  expect(imported.source).toBe('icalendar')
  expect(tasksIn(imported)).toEqual([
    'Wash, dry; and fold | 2026-12-01 09:00 high FREQ=DAILY;UNTIL=20261224 remind 15m in Home #Big work #Home #third,one | One\nTwo: \\n\n\n- [x] Part\n\nAttachment: a;b.pdf',
    'Wash | medium in Home done 2026-11-01T10:00:00.000Z | Repeat: FREQ=DAILY',
    'Day | 2026-12-01 medium in Home | Start: 2026-11-29\nRepeat: FREQ=YEARLY;BYWEEKNO=20',
    'Floating | 2026-12-01 08:00 low in Home',
    'Prefixed | 2026-12-01 09:00 medium in Home',
    'Long | 2026-12-02 10:00 medium remind 1570m 5m in Home | Start: 2026-12-01',
    'Whole | 2026-12-02 medium remind 3d18:00 in Home | Start: 2026-11-30',
    'Ready | 2026-11-30 medium in Home done 2026-11-26T12:00:00.000Z',
  ])
  expect(new Set(imported.tasks.map(({ _id }) => _id)).size).toBe(8)
  expect(imported.rows.at(-1)).toMatchObject({ place: { row: 82 }, becomes: 'nothing' })
  expect(remarksOf(imported)).toContain('PERCENT-COMPLETE was left out: 40.')
})

test('a pasted list: what is inside an item is a checkbox of it, headings are lists, other lines are texts', async () => {
  const text =
    '# Garden\n- [ ] Sow\n    the early ones\n\t- [x] Peas\n\t\t1. dwarf\n  * Beans\n- Mow\nand rake\n'
  const imported = await read([file(pastedName, text)], options)
  expect(imported.source).toBe('outline')
  expect(tasksIn(imported)).toEqual([
    'Sow | medium in Garden | the early ones\n\n- [x] Peas\n  - [ ] dwarf\n- [ ] Beans',
    'Mow | medium in Garden | and rake',
  ])
  const became = imported.rows.map(({ becomes }) => becomes)
  expect(became.join(' ')).toBe('list task text checkbox checkbox checkbox task text')
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
  const all = todos.flatMap((lines, index) => todo(`SUMMARY:T${index}`, ...lines))
  const text = ['BEGIN:VCALENDAR', ...more, ...all, 'END:VCALENDAR'].join('\r\n')
  return read([file('a.ics', text)], { ...options, zone })
}

test('ICS: zones by their names in Windows and as the file describes them, and one that is not known is listed', async () => {
  const part = (name: string, from: string, to: string, rule: string) => [
    ...[`BEGIN:${name}`, `DTSTART:16010101T020000`, `TZOFFSETFROM:${from}`],
    ...[`TZOFFSETTO:${to}`, `RRULE:FREQ=YEARLY;${rule}`, `END:${name}`],
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
  const times = imported.tasks.map(({ dueTime }) => dueTime ?? 'none')
  expect(times.join(' ')).toBe('08:00 07:00 16:00 07:00 09:00 none')
  expect(imported.tasks[0]?.doneAt).toBe('2026-07-01T07:00:00.000Z')
  expect(remarksOf(imported)).toEqual([
    'The time zone Moon is not known. The time is as it is on the clock of the file.',
  ])
  expect([...windowsZones].filter(([, name]) => !isZone(name ?? ''))).toEqual([])
})

test('a rule has the days of its task, wherever it counts from, and ends on its last day', async () => {
  const due = (day: string) => `DUE;VALUE=DATE:${day}`
  const early = ['DTSTART;VALUE=DATE:20261207', due('20261209')]
  const [berlin, york, morning] = ['Europe/Berlin', 'America/New_York', 'DUE:20261207T080000Z']
  const cases: [zone: string, days: string[], rule: string, repeat: string | null][] = [
    // It starts before it is due.
    ['UTC', early, 'WEEKLY;INTERVAL=2;BYDAY=MO,SU', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,WE;WKST=WE'],
    ['UTC', early, 'MONTHLY;BYMONTHDAY=7', 'FREQ=MONTHLY;BYMONTHDAY=9'],
    ['UTC', early, 'MONTHLY;BYDAY=1MO', null],
    ['UTC', early, 'DAILY;UNTIL=20261220', 'FREQ=DAILY;UNTIL=20261222'],
    // The zone moves the day.
    [berlin, ['DUE;TZID=America/Los_Angeles:20261207T200000'], 'WEEKLY;BYDAY=MO', 'FREQ=WEEKLY;BYDAY=TU'],
    [york, ['DUE:20261208T020000Z'], 'WEEKLY;BYDAY=TU', 'FREQ=WEEKLY;BYDAY=MO'],
    // The end is an instant.
    [york, [due('20261207')], 'DAILY;UNTIL=20261224T000000Z', 'FREQ=DAILY;UNTIL=20261224'],
    [york, ['DUE:20261207T090000'], 'DAILY;UNTIL=20261225T045959Z', 'FREQ=DAILY;UNTIL=20261224'],
    [berlin, [morning], 'DAILY;UNTIL=20261224T080000Z', 'FREQ=DAILY;UNTIL=20261224'],
    [berlin, [morning], 'DAILY;UNTIL=20261224T075900Z', 'FREQ=DAILY;UNTIL=20261223'],
  ]
  for (const [zone, days, rule, repeat] of cases) {
    const { tasks } = await tasksOf(zone, [[...days, `RRULE:FREQ=${rule}`]])
    expect([rule, tasks[0]?.repeat]).toEqual([rule, repeat])
    expect(tasks[0]?.repeatDay).toBe(repeat === null ? null : tasks[0]?.dueDate)
  }
  const header = 'Folder Name,List Name,Title,Content,Status,Start Date,Due Date,Repeat,Timezone,Is All Day'
  const tickTick = `${header}\n,L,T,,0,2026-12-08T04:00:00+0000,2026-12-08T04:00:00+0000,FREQ=WEEKLY;BYDAY=MO,America/Los_Angeles,false\n`
  const table = 'title,due,repeat\nT,2026-12-07T20:00-08:00,FREQ=WEEKLY;BYDAY=MO\n'
  for (const [text, list] of [
    [tickTick, ' in L'],
    [table, ''],
  ] as const)
    expect(tasksIn(await read([file('a.csv', text)], options))).toEqual([
      `T | 2026-12-08 05:00 medium FREQ=WEEKLY;BYDAY=TU${list}`,
    ])
})

test('what a source adds to a rule is a line and listed, and days that are done or removed are left out at its start', async () => {
  const imported = await tasksOf('UTC', [
    ['UID:a', 'DTSTART:20261207T090000', 'DUE:20261208T090000', 'RRULE:FREQ=DAILY;COUNT=9'],
    ['UID:a', 'RECURRENCE-ID:20261207T090000', 'DUE:20261208T090000', 'COMPLETED:20261208T080000Z'],
    ['UID:a', 'RECURRENCE-ID:20261208T090000', 'DUE:20261211T090000'],
    [
      ...['UID:b', 'DUE;VALUE=DATE:20261207', 'RRULE:FREQ=WEEKLY', 'RRULE:FREQ=MONTHLY'],
      ...['EXDATE:20261207,20261221', 'RDATE:20261209'],
    ],
  ])
  expect(tasksIn(imported)).toEqual([
    'T0 | 2026-12-10 09:00 medium FREQ=DAILY;COUNT=7 | Start: 2026-12-07',
    'T1 | 2026-12-08 09:00 medium done 2026-12-08T08:00:00.000Z',
    'T2 | 2026-12-11 09:00 medium',
    'T3 | 2026-12-14 medium FREQ=WEEKLY | Repeat: FREQ=MONTHLY\nExcept: 20261207,20261221\nAlso: 20261209',
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
    ...{ hasUnclearDays: true, isDayFirst: false, tasks: [{ dueDate: '2026-03-04' }] },
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

  const done = {
    ...{ Completed: 'x', 'Is Done': 'true', Status: 'Closed', State: 'resolved', Progress: 'Completed' },
    ...{ Finished: 'yes', Checked: '✓', Erledigt: 'ja', Statut: 'terminé' },
  }
  for (const [name, cell] of Object.entries(done)) {
    const { tasks } = await read([file('a.csv', `title,${name}\nA,${cell}\nB,\n`)], options)
    expect([name, ...tasks.map(({ doneAt }) => doneAt !== null)]).toEqual([name, true, false])
  }
  const toodledo = [
    'TASK,FOLDER,CONTEXT,GOAL,DUEDATE,PRIORITY,STATUS,COMPLETED',
    'Swim,Sport,,,2026-12-01,3,,2026-11-20',
    'Run,Sport,,,0000-00-00,-1,None,',
    'Dive,Sport,,,,1,Canceled,',
  ]
  const imported = await read([file('a.csv', toodledo.join('\n'))], options)
  expect(tasksIn(imported)).toEqual([
    'Swim | 2026-12-01 high in Sport done 2026-11-19T23:00:00.000Z',
    'Run | low in Sport',
    'Dive | medium in Sport done 2026-11-26T12:00:00.000Z',
  ])
})

test('Vikunja: reminders that count from a day of the task stay so, and older exports have lists in namespaces', async () => {
  const due = { due_date: '2026-12-01T16:30:00Z', start_date: '2026-12-01T14:30:00Z' }
  const relative = (to: string, period: number) => ({
    ...{ reminder: '2026-12-01T08:00:00Z', relative_to: to, relative_period: period },
  })
  const tasks = [
    { id: 1, title: 'A', ...due, reminders: [relative('due_date', -1800), relative('start_date', -600)] },
    { id: 2, title: 'B', ...due, reminder_dates: ['2026-12-01T08:00:00Z'] },
    { id: 3, title: 'C', ...due, reminders: [relative('', 0)] },
  ]
  const data = [{ title: 'Work', lists: [{ title: 'Now', tasks }] }]
  const exported = await zip('v.zip', { VERSION: '0.20.4', 'data.json': JSON.stringify(data) })
  expect(tasksIn(await read([exported], options))).toEqual([
    'A | 2026-12-01 17:30 medium remind 30m 130m in Work/Now',
    'B | 2026-12-01 17:30 medium remind 2026-12-01T09:00 in Work/Now',
    'C | 2026-12-01 17:30 medium remind 2026-12-01T09:00 in Work/Now',
  ])
})

test('todo.txt: priorities, days, projects, contexts and repeats', async () => {
  const text = [
    '(A) 2026-11-01 Call Ann +Family +Home @phone due:2026-12-01 rec:+1w',
    'x 2026-11-20 2026-11-01 Pay rent pri:B https://example.org',
    'Mow due:soon rec:2b t:2026-12-01',
  ].join('\n')
  const imported = await read([file('todo.txt', text)], options)
  expect(tasksIn(imported)).toEqual([
    'Call Ann | 2026-12-01 high FREQ=WEEKLY in Family #Home #phone',
    'Pay rent https://example.org | medium done 2026-11-19T23:00:00.000Z',
    'Mow | medium | Start: 2026-12-01\nDue: soon\nRepeat: 2b',
  ])
  expect(imported.tasks[0]?.createdAt).toBe('2026-10-31T23:00:00.001Z')
})
