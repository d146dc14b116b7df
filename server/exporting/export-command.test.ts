import { execFile } from 'node:child_process'
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, inject, test } from 'vitest'
import { newId } from '../new-id.ts'
import { insertVersion } from '../notes/note-versions.ts'
import { exportedBy, filesIn, longNotes } from '../testing/exported-files.ts'
import { expectRefused, runProgram } from '../testing/run-program.ts'
import { onEveryServer } from '../testing/test-server.ts'

const program = join(import.meta.dirname, 'export-command.ts')

onEveryServer('the command export, while a server runs,', ({ server, user }) => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(inject('folder'), 'exports-'))
  })

  const runWith = (environment: Record<string, string>, ...args: string[]) =>
    runProgram('exporting/export-command.ts', args, { DATABASE_URL: server.url.href, ...environment })
  const run = (...args: string[]) => runWith({}, ...args)

  test('writes the file that the user can download, which only the operator can read', async () => {
    await user.addTask({ title: 'Buy milk' })
    const path = join(folder, 'ada.zip')
    const { code, stdout, stderr } = await run(user.email.toUpperCase(), path)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`${path}: 0.0 MB (tasks 1, notes 0, versions 0, deleted 0, history 1)\n`)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const [written, downloaded] = [await filesIn(await readFile(path)), await exportedBy(server.app, user)]
    const filesOf = ({ texts }: typeof written) => [...texts].filter(([name]) => name !== 'manifest.json')
    expect(filesOf(written)).toEqual(filesOf(downloaded))
    expect(written.manifest.cursor).toBe(downloaded.manifest.cursor)
  })

  test('needs no more memory for a large account', async () => {
    const owner = user.id
    // 64 MB, and the limit of the heap of JavaScript is less.
    const version = { user_id: owner, note_id: newId(), at: 0, device: '', by: '', thinned: 0 }
    const text = 'x'.repeat(100_000)
    for (let from = 1000; from < 1640; from += 64)
      await server.database.write(async (db) => {
        for (let seq = from; seq < from + 64; seq++) await insertVersion(db, { ...version, seq, text })
      })
    const path = join(folder, 'large.zip')
    const limit = { NODE_OPTIONS: '--max-old-space-size=48' }
    expect(await runWith(limit, user.email, path)).toMatchObject({ code: 0, stderr: '' })
    expect((await filesIn(await readFile(path))).manifest.counts.versions).toBe(640)
  })

  test('names the file that a full disk does not hold, in one line, and leaves none', async () => {
    for (let sent = 0; sent < 3; sent++) await user.send(...longNotes())
    const path = join(folder, 'full.zip')
    // No file may have more than 2 MB.
    const command = ['-c', 'ulimit -f 4096 && exec "$@"', 'sh', process.execPath, program, user.email, path]
    const env = { ...process.env, DATABASE_URL: server.url.href }
    const failing = promisify(execFile)('sh', command, { env })
    const stderr = expect.stringMatching(`^The file ${path} cannot be written: .*\n$`)
    await expect(failing).rejects.toMatchObject({ code: 1, stdout: '', stderr })
    await expect(stat(path)).rejects.toThrow('ENOENT')
  })

  test('replaces no file, and says what is missing', async () => {
    const { email } = await server.newUser()
    const path = join(folder, 'kept.zip')
    expect((await run(email, path)).code).toBe(0)
    const first = await readFile(path)
    for (const [args, message] of [
      [[email, path], /cannot be created: EEXIST/],
      [[email, join(folder, 'nowhere', 'ada.zip')], /cannot be created: ENOENT/],
      [['nobody@example.org', join(folder, 'nobody.zip')], /^There is no account nobody@example.org\.$/m],
      [[email], /^Use "export EMAIL FILE"/],
    ] as const) {
      expectRefused(await run(...args), message)
    }
    expect(await readFile(path)).toEqual(first)
  })
})
