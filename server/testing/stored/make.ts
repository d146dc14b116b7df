import { randomUUID } from 'node:crypto'
import { type Call, clientOf } from '../test-client.ts'
import { startTestServer } from '../test-server.ts'

// node server/testing/stored/make.ts file:NEW.sqlite, or postgres://… and then
// pg_dump --inserts --no-owner --no-privileges URL | grep -v '^\\' | perl -0pe 's/^--.*\n//mg; s/(;|\A)\n+/$1\n/g'
//
// Fills an empty database with rows of every table and kind, as the release makes them. Such a database is stored once for
// a release, and every later migration is tested on it.

const server = await startTestServer(new URL(process.argv[2] ?? ''))
const call: Call = async (endpoint, request) => {
  const answer = await server.call(endpoint, request)
  if (answer.status >= 300) throw new Error(`${endpoint}: ${answer.text}`)
  return answer
}

async function newAccount(name: string) {
  const email = `${name.toLowerCase()}@example.org`
  const body = { name, email, password: `the password of ${name}` }
  const { token } = (await call('POST /user/register', { body })).json
  return { email, ...clientOf(call, token) }
}

const ada = await newAccount('Ada')
await call('POST /user/login', { body: { email: ada.email, password: 'the password of Ada' } })
await ada.setSettings({ theme: 'dark' })

const addTask = async (title: string, others: object = {}) =>
  (await ada.addTask({ title, body: '', dueDate: '2026-11-23', priority: 'medium', ...others }))._id
const change = (item: string, set: object, others: object = {}) => ada.send({ item, set, ...others })

await addTask('Überfällig 😀', { dueDate: '2020-02-29', priority: 'high', body: 'one\ntwo #tag' })
await addTask('Später', { dueDate: '2100-01-01', priority: 'low' })
const edited = await addTask('Before the edit')
await change(edited, { title: 'After the edit' }, { base: 3, group: randomUUID() })
await change(edited, { priority: 'low' }, { base: 3 })
await change(edited, { priority: 'low' })
const { cursor } = (await change(edited, { body: 'undone' })).json
await ada.undo(Number.parseInt(cursor, 10))
await change(await addTask('Done'), { done: true })
await change(await addTask('Deleted'), { deleted: true })
const purged = await addTask('Removed for good')
await change(purged, { title: 'Removed for good, too' })
await change(purged, { deleted: true })
await ada.purge(purged)

const [pinned, deleted] = [randomUUID(), randomUUID()]
const save = (item: string, text: string, base: number) =>
  change(item, { text }, { kind: 'note', base, group: randomUUID() }).then(({ json }) =>
    Number.parseInt(json.cursor, 10),
  )
let version = 0
for (const text of ['# Überfällig 😀', '# Überfällig 😀\n\ntwo', '# Überfällig 😀\n\nthree'])
  version = await save(pinned, text, version)
await change(pinned, { pinned: true }, { kind: 'note' })
await save(pinned, `# Überfällig 😀\n\nfour, [a task](task:${edited})`, version)
await save(deleted, 'A deleted note', 0)
await change(deleted, { deleted: true }, { kind: 'note' })

await (await newAccount('Eve')).addTask({ title: 'A', dueDate: '2026-11-23', priority: 'high' })
const closed = await newAccount('Bob')
await closed.addTask({ title: 'B', dueDate: '2026-11-23', priority: 'high' })
await server.app.close()
await server.database.write(async (db) => {
  // As if the sweep had seen the older versions of the note.
  const last = version - 1
  await db.updateTable('versions').set({ thinned: 2 }).where('seq', '<', last).execute()
  await db.updateTable('versions').set({ thinned: 1 }).where('seq', '=', last).execute()
  // As if the server had stopped before it deleted the account.
  await db.updateTable('users').set({ closed_at: 1, email: '' }).where('email', '=', closed.email).execute()
  await db.deleteFrom('accounts').where('email', '=', closed.email).execute()
})
await server.database.close()
