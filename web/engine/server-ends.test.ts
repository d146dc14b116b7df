import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../server/testing/free-port.ts'
import { startServer } from '../../server/testing/server-process.ts'
import { documentsOf } from './notes/note-documents.ts'
import { openNote } from './testing/notes-server.ts'
import { openBrowser, type Tab, titlesIn, until, writesIn } from './testing/test-browser.ts'

/** A server of its own on a file, which can be killed and started again, with a new account. */
async function begin() {
  const [folder, port] = [await mkdtemp(join(tmpdir(), 'daymark-engine-')), await freePort()]
  const environment = { HOST: '127.0.0.1', PORT: String(port), DATABASE_URL: `file:${folder}/daymark.sqlite` }
  let server = await startServer(environment)
  onTestFinished(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })
  const body = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery' }
  const { token } = (await server.call('POST /user/register', { body })).json
  const call: typeof server.call = (endpoint, request) => server.call(endpoint, { token, ...request })
  return {
    folder,
    open: () => openBrowser(`http://127.0.0.1:${port}`, { token }),
    call,
    async text(id: string) {
      return (await call(`GET /notes/${id}`)).json.note.text
    },
    kill: () => server.stop('SIGKILL'),
    async start() {
      server = await startServer(environment)
    },
  }
}

/** Waits until everything is saved, without the waits between attempts. */
const saved = (tab: Tab) =>
  until(() => {
    tab.needs.tell('focus')
    return tab.waiting.isNothing()
  })

test('A server that is killed again and again while devices type loses nothing that was typed or changed meanwhile', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { call, open, text, kill, start } = await begin()
  const [laptop, phone] = [open(), open()]
  const devices = [laptop.open(), phone.open()] as const
  const id = documentsOf(devices[0]).write('Title\n\nfirst\n\nlast')
  await saved(devices[0])
  const notes = [await openNote(devices[0], id), await openNote(devices[1], id)] as const
  let typed = 0
  const type = () => {
    typed++
    for (const [index, where] of ['\n\nlast', undefined].entries()) {
      const note = notes[index as 0 | 1]
      const at = where ? note.text.indexOf(where) : note.text.length
      note.edit(`${note.text.slice(0, at)}\nline ${typed} of ${index}${note.text.slice(at)}`)
    }
  }
  for (const title of ['before the first end', 'before the second end']) {
    type()
    await notes[0].save()
    // Some of it is saved, some is being sent, some is not sent yet.
    type()
    notes[1].save()
    await kill()
    type()
    await notes[0].save()
    expect(devices[0].waiting.notes()).toMatchObject([{ id }])
    await start()
    await call('POST /list/addTask', { body: { title, body: '', dueDate: '2031-05-01', priority: 'low' } })
    await Promise.all(devices.map(saved))
    // The streams return with what was changed before them.
    for (const device of devices) await until(() => titlesIn(device).includes(title))
  }
  const lines = (index: number) => Array.from({ length: typed }, (_, line) => `line ${line + 1} of ${index}`)
  expect(await text(id)).toBe(['Title', '', 'first', ...lines(0), '', 'last', ...lines(1)].join('\n'))

  // A browser that was closed while the server was down sends the text at its next visit.
  await kill()
  notes[1].edit(`${notes[1].text}\ntyped without a server`)
  devices[1].close()
  await start()
  await saved(phone.open())
  expect(await text(id)).toMatch(/\ntyped without a server$/)
})

test('A note that is open while its server is restored to an older state keeps all that was typed, and is saved in a few calls', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { folder, open, text, kill, start } = await begin()
  const browser = open()
  const tab = browser.open()
  const id = documentsOf(tab).write('Ferry')
  await saved(tab)
  const backup = await mkdtemp(join(tmpdir(), 'daymark-engine-'))
  onTestFinished(() => rm(backup, { recursive: true }))
  await kill()
  await cp(folder, backup, { recursive: true })
  await start()
  const note = await openNote(tab, id)
  note.edit('Ferry\none')
  await note.save()
  await saved(tab)
  expect(await text(id)).toBe('Ferry\none')

  await kill()
  for (const file of ['', '-wal', '-shm']) await rm(`${folder}/daymark.sqlite${file}`, { force: true })
  await cp(backup, folder, { recursive: true })
  browser.network.calls.splice(0)
  await start()
  // The page hears of it, and sends what it has shown.
  await until(async () => {
    tab.needs.tell('focus')
    return (await text(id)) === 'Ferry\none'
  })
  note.edit('Ferry\none two')
  await note.save()
  await saved(tab)
  expect(await text(id)).toBe('Ferry\none two')
  expect(writesIn(browser).length).toBeLessThanOrEqual(4)
})
