import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { loadPushKeys } from '../reminders/push-keys.ts'
import { emptyDatabase } from '../testing/engines.ts'
import { titlesIn } from '../testing/file-server.ts'
import { expectRefused, runProgram } from '../testing/run-program.ts'
import { startTestServer } from '../testing/test-server.ts'
import { takeBackup } from './backup.ts'

let url: URL
let path: string
let backup: string

const restore = (...args: string[]) =>
  runProgram('backups/restore-command.ts', args, { DATABASE_URL: url.href })

/** All files of the folder with their content. */
async function contents() {
  const entries = await readdir(dirname(path), { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  const texts = names.map(
    async (name) => [name, await readFile(join(dirname(path), name), 'latin1')] as const,
  )
  return Object.fromEntries(await Promise.all(texts))
}

describe('A restore', () => {
  beforeEach(async () => {
    url = await emptyDatabase('sqlite')
    path = fileURLToPath(url)
    const server = await startTestServer(url)
    const user = await server.newUser()
    await user.addTask({ title: 'in the backup' })
    await loadPushKeys(server.database)
    backup = (await takeBackup(url, join(dirname(path), 'backups'))).file
    await user.addTask({ title: 'later' })
    // As after a crash, the later task is only in the WAL.
    const files = [path, `${path}-wal`, `${path}-shm`]
    const found = await Promise.all(files.map((file) => readFile(file)))
    await server.close()
    await Promise.all(files.map((file, index) => writeFile(file, found[index] ?? '')))
  })

  test('replaces the database, and keeps the previous one with all its changes under another name', async () => {
    const { code, stdout, stderr } = await restore(backup)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [, kept = ''] = /The previous database is kept as (.+)\.\n$/.exec(stdout) ?? []
    expect(stdout).toContain(`${path}: restored from ${backup}, verified (users 1, `)
    expect(titlesIn(path)).toEqual(['in the backup'])
    expect(titlesIn(kept)).toEqual(['in the backup', 'later'])
    // Reminders from before the restore are not sent again.
    using database = new DatabaseSync(path, { readOnly: true })
    expect(database.prepare('select not_before > 0 as late, is_on from push').get()).toEqual({
      late: 1,
      is_on: 1,
    })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect([existsSync(`${path}-wal`), existsSync(`${path}-shm`)]).toEqual([false, false])
    const server = await startTestServer(url)
    await server.close()
  })

  test('of a database that is gone ends the refusal to start', async () => {
    for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix)
    await expect(startTestServer(url)).rejects.toThrow(/is gone; restore a backup/)
    const { code, stdout } = await restore(backup)
    expect(code).toBe(0)
    expect(stdout).not.toContain('previous database')
    await (await startTestServer(url)).close()
    expect(titlesIn(path)).toEqual(['in the backup'])
  })

  test('over a damaged database keeps its files as they are', async () => {
    for (const suffix of ['-wal', '-shm']) await rm(path + suffix)
    await writeFile(path, 'not a database')
    const { code, stdout } = await restore(backup)
    expect(code).toBe(0)
    const [, kept = ''] = /kept as (.+)\.\n$/.exec(stdout) ?? []
    expect(await readFile(kept, 'utf8')).toBe('not a database')
    expect(titlesIn(path)).toEqual(['in the backup'])
  })

  test('while a server has the database open is refused', async () => {
    const server = await startTestServer(url)
    const refused = await restore(backup)
    await server.close()
    expectRefused(refused, `The database ${path} is in use: stop the server first`)
    expect(titlesIn(path)).toEqual(['in the backup', 'later'])
  })

  async function overwritten(content: string | Buffer) {
    await writeFile(backup, content)
    return backup
  }
  test.each([
    ['that does not exist', async () => join(dirname(path), 'none'), /^There is no backup /],
    ['that is the database itself', async () => path, /is the database itself: name the backup to restore$/],
    ['that is a folder', async () => dirname(backup), /\/backups\b/],
    ['that cannot be read', async () => '/proc/self/mem', /\/proc\/self\/mem\b/],
    ['that is no database', () => overwritten('a text'), /cannot be copied: file is not a database$/],
    [
      'that is damaged',
      async () => overwritten((await readFile(backup)).fill(7, 4096, 8192)),
      /damaged|malformed|cannot be copied/,
    ],
    [
      'of another program',
      async () => {
        const other = join(dirname(path), 'other.sqlite')
        using database = new DatabaseSync(other)
        database.exec('create table songs (title text)')
        return other
      },
      /other\.sqlite is not a database of Daymark$/,
    ],
  ])('of a file %s is refused and changes nothing', async (_, prepare, line) => {
    const file = await prepare()
    const before = await contents()
    expectRefused(await restore(file), line)
    expect(await contents()).toEqual(before)
    expect(titlesIn(path)).toEqual(['in the backup', 'later'])
  })

  test('needs one file, and an SQLite database', async () => {
    expect((await restore()).stderr).toMatch(/^Name one backup, for example /)
    expect((await restore(backup, backup)).stderr).toMatch(/^Name one backup, for example /)
    url = new URL('postgres://daymark:secret@localhost/daymark')
    expect((await restore(backup)).stderr).toMatch(/^PostgreSQL is restored with its own pg_restore: /)
  })
})

describe('A command with an unknown option or a misspelt variable ends with one line that names the right one', () => {
  test.each<[string, string[], string, Record<string, string>?]>([
    ['main.ts', ['--port', '3'], "There is no option '--port'. Set the variable PORT, as in PORT=8080"],
    [
      'main.ts',
      ['--registraton=closed'],
      "There is no option '--registraton'. Set the variable REGISTRATION",
    ],
    ['main.ts', ['--verbose'], "There is no option '--verbose'. This command has no options"],
    ['main.ts', ['dev'], 'Unexpected argument'],
    ['main.ts', [], 'REGISTRATON is not a variable of Daymark: is REGISTRATION meant?', { REGISTRATON: 'x' }],
    ['backups/backup-command.ts', ['--too', 'x'], "There is no option '--too'. The options are --to."],
    ['backups/backup-command.ts', [], 'BACKUP_DIRS is not a variable', { BACKUP_DIRS: '/x' }],
    ['backups/restore-command.ts', ['--file', 'x'], "There is no option '--file'."],
    ['copying/copy-command.ts', ['--form', 'x'], "There is no option '--form'. Is --from meant?"],
    ['database/migrate-command.ts', ['--contrakt'], "There is no option '--contrakt'. Is --contract meant?"],
  ])('%s %j: %s', async (program, args, line, variables = {}) => {
    expectRefused(await runProgram(program, args, { DATABASE_URL: 'file:x.sqlite', ...variables }), line)
  })
})
