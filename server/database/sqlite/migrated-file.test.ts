import { execFileSync } from 'node:child_process'
import { mkdtempSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { storedDatabase } from '../../testing/stored-database.ts'

const command = join(import.meta.dirname, '../migrate-command.ts')

/** Runs a script that sees a file system of this size, in megabytes, at a folder. It is gone when the script ends. */
function onDiskOf(size: number, folder: string, script: string, ...args: string[]) {
  const mount = `mount -t tmpfs -o size=${Math.round(size * 1e6)} tmpfs '${folder}' && ${script}`
  return execFileSync('unshare', ['--map-root-user', '--mount', 'sh', '-c', mount, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

function mayMount() {
  try {
    onDiskOf(1, '/mnt', 'true')
    return true
  } catch {
    return false
  }
}

describe.skipIf(!mayMount())('on a disk of limited size, the migration of a file of 0.1.0', () => {
  let [path, size] = ['', 0]
  beforeAll(async () => {
    path = fileURLToPath(await storedDatabase('sqlite', '0.1.0'))
    using file = new DatabaseSync(path)
    const user = '(select user_id from accounts limit 1)'
    const numbers =
      'with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < 6000)'
    const id = `printf('01a1fbec-df28-741d-85d9-%012d', number)`
    const text = `printf('%.*c', 500, 'x')`
    file.exec(
      `insert into tasks (user_id, id, version, title, due_date, priority, created_at, body, folded) ${numbers}
        select ${user}, ${id}, 1, 'Don’t', '2026-11-21', 1, 1, ${text}, 'don’t' || ${text} from numbers;
      insert into notes (user_id, id, version, pinned, created_at, changed_at, saved_seq, saved_by, version_since, title, snippet, text, folded) ${numbers}
        select ${user}, ${id}, 1, 0, 1, 1, 1, '', 1, '', '', ${text}, ${text} from numbers;
      insert into changes (user_id, seq, id, at, device, kind, item, fields, before) ${numbers}
        select ${user}, number + 1000000, ${id}, 1, '', 'task', ${id}, 'body', ${text} from numbers;
      pragma wal_checkpoint(truncate)`,
    )
    size = statSync(path).size / 1e6
  })

  /** Migrates a copy of the file where there is so much space besides it, and returns what was printed and the files that are left. */
  function migrateWith(space: number) {
    const folder = mkdtempSync(join(inject('folder'), 'disk-'))
    const script = `cp "$0" ${folder}/daymark.sqlite && DATABASE_URL=file:${folder}/daymark.sqlite "$1" "$2" 2>&1; ls ${folder}`
    return onDiskOf(size * (1 + space), folder, script, path, process.execPath, command)
  }

  test('succeeds with twice its size free', () => {
    const files = ['', '.before-002-expand-tables', '.exists'].map((end) => `daymark.sqlite${end}\n`)
    expect(migrateWith(2.05)).toBe(`The database has the schema of this version.\n${files.join('')}`)
  })

  test('says before it begins how much it needs, if less is free, and leaves no other file', () => {
    const [line, ...files] = migrateWith(1.9).trim().split('\n')
    expect(line).toMatch(
      /^DATABASE_URL: .*: its migration needs \d+ bytes in .*, and \d+ are free; see "Upgrade"/,
    )
    expect(line).toContain(` ${Math.round(size * 2e6)} bytes `)
    expect(files.filter((name) => !/-(wal|shm)$/.test(name))).toEqual(['daymark.sqlite'])
  })
})
