import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import openapiTypescript from 'openapi-typescript'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../testing/raw-client.ts'
import { serverForTest } from '../testing/test-server.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** Written as a user of the document writes it: without a cast. */
const play = `
import assert from 'node:assert/strict'
import create from 'openapi-fetch'
import type { paths } from './paths.ts'

const client = create<paths>({ baseUrl: process.argv[2] ?? '' })
const ada = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery' }
await client.POST('/api/v1/user/register', { body: ada })
const { data: session } = await client.POST('/api/v1/user/login', { body: ada })
const headers = { authorization: 'Bearer ' + session?.token }
const draft = { title: 'Water the plants', dueDate: '2026-11-21', priority: 'high' } as const
const { data: added } = await client.POST('/api/v1/list/addTask', { headers, body: draft })
const id = added?.task._id ?? ''
const latest = async () => {
  const { data } = await client.GET('/api/v1/list/getLatestTasks', { headers, params: { query: { limit: 10 } } })
  return data?.lists.map(({ title }) => title)
}
assert.deepEqual(await latest(), ['Water the plants'])
const path = { id }
const edit = { ...draft, title: 'Feed the cat' }
await client.PUT('/api/v1/list/updateTask/{id}', { headers, params: { path }, body: edit })
assert.deepEqual(await latest(), ['Feed the cat'])
const note = { mutation: crypto.randomUUID(), item: crypto.randomUUID(), kind: 'note', base: 0, set: { text: 'Ferry' } } as const
const { data: changed } = await client.POST('/api/v1/changes', { headers, body: { changes: [note] } })
const [entry] = changed?.items ?? []
assert.equal(entry?.kind === 'note' && entry.item?.text, 'Ferry')
const { response } = await client.DELETE('/api/v1/list/deleteTask/{id}', { headers, params: { path } })
assert.equal(response.status, 200)
assert.deepEqual(await latest(), [])
const { error } = await client.GET('/api/v1/tasks/{id}', { headers, params: { path: { id: '' } } })
assert.equal(error?.errors?.[0]?.code, 'not-an-id')
`

const compilerOptions = {
  ...{ target: 'esnext', module: 'nodenext', types: ['node'], lib: ['esnext', 'dom'], strict: true },
  ...{ noEmit: true, noUncheckedIndexedAccess: true, allowImportingTsExtensions: true, skipLibCheck: true },
}

test('a client generated from the OpenAPI document registers, logs in, adds, lists, edits and deletes', async () => {
  const server = await serverForTest('sqlite')
  // In the repository, so that its packages are found.
  await mkdir(join(root, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(root, 'dist/generated-client-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const document = JSON.parse((await server.call('GET /openapi.json')).text)
  await writeFile(join(folder, 'paths.ts'), await openapiTypescript(document))
  await writeFile(join(folder, 'play.ts'), play)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))

  const compiled = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error) => error)
  expect(compiled.stdout).toBe('')
  const played = await run(process.execPath, [join(folder, 'play.ts'), await listen(server.app)])
  expect(played.stderr).toBe('')
})
