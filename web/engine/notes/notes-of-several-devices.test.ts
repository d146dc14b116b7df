import { expect, test } from 'vitest'
import { openNote, startNotesServer } from '../testing/notes-server.ts'
import { until } from '../testing/test-browser.ts'

const { begin, newAccount } = startNotesServer()

test('Two devices that write in one note without a pause, and whose saves overlap, lose no line and end with one text', async () => {
  const { browser, add, get } = await newAccount()
  const { _id: id } = await add('Title\n\none 0\n\ntwo 0')
  const tabs = [browser().open(), browser().open()]
  const notes = await Promise.all(tabs.map((tab) => openNote(tab, id)))
  for (let line = 1; line <= 30; line++)
    for (const [index, name] of ['one', 'two'].entries()) {
      const note = notes[index] as (typeof notes)[number]
      note.edit(note.text.replace(`${name} ${line - 1}`, `$&\n${name} ${line}`))
      if (line % 3 === 0) note.save()
      if (line % 10 === 0) await until(() => notes[1 - index]?.text.includes(`${name} ${line}`))
    }
  const lines = (name: string) => Array.from({ length: 31 }, (_, line) => `${name} ${line}`)
  const text = ['Title', '', ...lines('one'), '', ...lines('two')].join('\n')
  await until(() => notes.every((note) => note.text === text && note.state.is === 'saved'))
  // A further save has nothing to merge.
  notes[1]?.edit(`${text}!`)
  await notes[1]?.save()
  expect((await get(id)).text).toBe(`${text}!`)
})

test('A note that was deleted elsewhere keeps its text here, is not overwritten, and is restored with the changes of others', async () => {
  const { browser, id, note, get, write, change } = await begin('one\ntwo')
  // Both changes arrive at once, as after a pause of the connection.
  const release = browser.network.hold('GET /changes')
  await write(id, 'one, and more\ntwo')
  await change(id, { deleted: true })
  release()
  await until(() => note.state.is === 'gone')
  expect(note.state).toEqual({ is: 'gone', canRestore: true })
  const sent = browser.network.calls.length
  note.edit(`${note.text}\nthree`)
  await note.save()
  expect(browser.network.calls.slice(sent)).not.toContain('POST /changes')
  expect(await get(id)).toMatchObject({ text: 'one, and more\ntwo', deletedAt: expect.any(String) })
  await note.restore()
  expect(await get(id)).toMatchObject({ text: 'one, and more\ntwo\nthree', deletedAt: null })
  expect(note.state).toEqual({ is: 'saved' })
})

test('A note that was deleted elsewhere and restored there saves again', async () => {
  const { id, note, get, write, change, stored } = await begin('one')
  await change(id, { deleted: true })
  await until(() => note.state.is === 'gone')
  note.edit('one\ntwo')
  await change(id, { deleted: false })
  await write(id, 'zero\none')
  await stored(id, 'zero\none\ntwo')
  await until(() => note.state.is === 'saved')
  const before = await get(id)
  await change(id, { deleted: true })
  await until(() => note.state.is === 'gone')
  // An answer from before the deletion does not restore it.
  await note.changedElsewhere(before)
  expect(note.state.is).toBe('gone')
})

test.each([
  ['is lost', 'lost'],
  ['says that the call arrived in part', { status: 408 }],
] as const)('While the answer to a save %s, others wait, and no line is doubled', async (_, answer) => {
  const { browser, id, note, write, get, stored } = await begin('one\nmiddle\nlast')
  const accept = browser.network.force('POST /changes', answer)
  note.edit('one two\nmiddle\nlast')
  await note.save()
  expect(note.state).toEqual({ is: 'unknown' })
  note.edit('one two three\nmiddle\nlast')
  await write(id, `${(await get(id)).text}\nfrom elsewhere`)
  accept()
  await stored(id, 'one two three\nmiddle\nlast\nfrom elsewhere')
  await until(() => note.text.endsWith('elsewhere') && note.state.is === 'saved')
})
