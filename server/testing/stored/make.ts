import { randomUUID } from 'node:crypto'
import { apiBase } from '#contract/limits.ts'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { openDatabase } from '../../database/open-database.ts'

// node server/testing/stored/make.ts file:NEW.sqlite, or postgres://… and then
// pg_dump --inserts --no-owner --no-privileges URL | grep -v '^\\' | perl -0pe 's/^--.*\n//mg; s/(;|\A)\n+/$1\n/g'
//
// Fills an empty database with rows of every table and kind, as the release makes them. Such a database is stored once for
// a release, and every later migration is tested on it.

const config = readConfig({ LOG_LEVEL: 'error' })
const database = await openDatabase(new URL(process.argv[2] ?? ''), config.database)
const app = await buildApp({ config, database })

type Json = { token: string; task: { _id: string }; cursor: string }

const caller =
  (token?: string) =>
  async (endpoint: string, payload?: object): Promise<Json> => {
    const [method, path] = endpoint.split(' ') as ['POST', string]
    const headers = token ? { authorization: `Bearer ${token}` } : {}
    const answer = await app.inject({ method, url: apiBase + path, headers, ...(payload ? { payload } : {}) })
    if (answer.statusCode >= 300) throw new Error(`${endpoint}: ${answer.body}`)
    return answer.json()
  }

async function newAccount(name: string) {
  const email = `${name.toLowerCase()}@example.org`
  const { token } = await caller()('POST /user/register', {
    name,
    email,
    password: `the password of ${name}`,
  })
  return { email, call: caller(token) }
}

const { email, call } = await newAccount('Ada')
await caller()('POST /user/login', { email, password: 'the password of Ada' })
await call('PATCH /settings', { settings: { theme: 'dark' } })

const addTask = async (title: string, others: object = {}) => {
  const values = { title, body: '', dueDate: '2026-11-23', priority: 'medium', ...others }
  return (await call('POST /list/addTask', values)).task._id
}
const change = (item: string, set: object, others: object = {}) =>
  call('POST /changes', { changes: [{ mutation: randomUUID(), item, set, ...others }] })

await addTask('Überfällig 😀', { dueDate: '2020-02-29', priority: 'high', body: 'one\ntwo #tag' })
await addTask('Später', { dueDate: '2100-01-01', priority: 'low' })
const edited = await addTask('Before the edit')
await change(edited, { title: 'After the edit' }, { base: 3, group: randomUUID() })
await change(edited, { priority: 'low' }, { base: 3 })
await change(edited, { priority: 'low' })
const { cursor } = await change(edited, { body: 'undone' })
await call(`POST /changes/${Number.parseInt(cursor, 10)}/undo`)
await change(await addTask('Done'), { done: true })
await change(await addTask('Deleted'), { deleted: true })
const purged = await addTask('Removed for good')
await change(purged, { title: 'Removed for good, too' })
await change(purged, { deleted: true })
await call('POST /items/purge', { items: [purged] })

const [pinned, deleted] = [randomUUID(), randomUUID()]
const save = (item: string, text: string, base: number) =>
  change(item, { text }, { kind: 'note', base, group: randomUUID() }).then(({ cursor }) =>
    Number.parseInt(cursor, 10),
  )
let version = 0
for (const text of ['# Überfällig 😀', '# Überfällig 😀\n\ntwo', '# Überfällig 😀\n\nthree'])
  version = await save(pinned, text, version)
await change(pinned, { pinned: true }, { kind: 'note' })
await save(pinned, `# Überfällig 😀\n\nfour, [a task](task:${edited})`, version)
await save(deleted, 'A deleted note', 0)
await change(deleted, { deleted: true }, { kind: 'note' })

await (await newAccount('Eve')).call('POST /list/addTask', {
  title: 'A',
  dueDate: '2026-11-23',
  priority: 'high',
})
const closed = await newAccount('Bob')
await closed.call('POST /list/addTask', { title: 'B', dueDate: '2026-11-23', priority: 'high' })
await app.close()
await database.write(async (db) => {
  // As if the sweep had seen the older versions of the note.
  await db
    .updateTable('versions')
    .set({ thinned: 2 })
    .where('seq', '<', version - 1)
    .execute()
  await db
    .updateTable('versions')
    .set({ thinned: 1 })
    .where('seq', '=', version - 1)
    .execute()
  // As if the server had stopped before it deleted the account.
  await db.updateTable('users').set({ closed_at: 1, email: '' }).where('email', '=', closed.email).execute()
  await db.deleteFrom('accounts').where('email', '=', closed.email).execute()
})
await database.close()
