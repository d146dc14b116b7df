import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportedLines } from '#contract/imports.ts'
import { onEveryEngine } from '../../server/testing/engines.ts'
import { exportedBy } from '../../server/testing/exported-files.ts'
import { startTestServer, type TestServer } from '../../server/testing/test-server.ts'
import { read } from './readers/read-files.ts'
import { file, options, remarksOf } from './testing/import-files.ts'

const folder = join(import.meta.dirname, '../../server/testing/stored/exports')

/** The files of an export that a version of Daymark has made. */
const filesOf = (version: string) =>
  readdirSync(join(folder, version), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => file(path.slice(folder.length + 1), readFileSync(path)))

const withDefaults = (kind: keyof typeof exportedLines, text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => ({ ...exportedLines[kind].defaults, ...JSON.parse(line) }))

onEveryEngine('the export of an earlier version', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(engine)
  })
  afterAll(() => server.close())

  test.each(readdirSync(folder))('%s is imported as it was, with defaults of new fields', async (version) => {
    const files = filesOf(version)
    const imported = await read(files, options)
    expect(remarksOf(imported)).toEqual([])
    const user = await server.newUser()
    const bare = <Each extends object>(items: Each[]) =>
      items.map((item) => ({ ...item, list: undefined, tags: undefined }))
    const body = {
      ...{ import: '01a1fbec-e0c4-7d05-9f1e-3a7c52d8b640', versions: imported.versions },
      ...{ tasks: bare(imported.tasks), notes: bare(imported.notes) },
    }
    expect((await user.call('POST /import', { body })).status).toBe(200)
    expect((await user.call('PATCH /settings', { body: { settings: imported.settings } })).status).toBe(200)
    const { linesOf } = await exportedBy(server.app, user)
    for (const [name, kind] of [
      ['tasks', 'task'],
      ['notes', 'note'],
      ['versions', 'version'],
    ] as const) {
      const stored = await files.find(({ path }) => path.endsWith(`/${name}.jsonl`))?.content.text()
      expect([name, linesOf(name)]).toEqual([name, withDefaults(kind, stored ?? '')])
    }
    expect(linesOf('settings')).toMatchObject([imported.settings])
  })
})
