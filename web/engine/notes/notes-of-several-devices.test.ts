import { expect, test } from 'vitest'
import { startNotesServer } from '../testing/notes-server.ts'
import { until } from '../testing/test-browser.ts'

const { begin } = startNotesServer()

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
