import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import fastify from 'fastify'
import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import type { Fault } from '../database/database.ts'
import { openDatabase } from '../database/open-database.ts'
import { emptyDatabase } from '../testing/engines.ts'
import { serverForTest } from '../testing/test-server.ts'
import { takeBackup } from './backup.ts'
import { backupName } from './backup-folder.ts'
import { scheduleBackups } from './backup-schedule.ts'

const hour = 3_600_000

describe('scheduled backups', () => {
  let folder: string
  let url: URL
  /** A good copy, to be put under other names. */
  let backup: string
  let fault: Fault | undefined

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    onTestFinished(() => void vi.useRealTimers())
    folder = await mkdtemp(join(inject('folder'), 'schedule-'))
    url = await emptyDatabase('sqlite')
    await (await openDatabase(url)).close()
    backup = (await takeBackup(url, await mkdtemp(join(inject('folder'), 'taken-')))).file
    fault = undefined
  })

  test('begin at the start of the server if there is none yet', async () => {
    const { backups, log } = await start()
    const backup = await log.next(/^backup: /)
    expect(backup).toMatch(/^backup: .*\.sqlite: \d+\.\d MB, verified/)
    expect(await readdir(folder)).toHaveLength(1)
    expect(backup).toContain(backups?.lastVerified()?.file)
  })

  test('wait until the newest is older than BACKUP_EVERY, also if that is longer than the longest timer', async () => {
    await place(hoursAgo(1))
    const { backups, log } = await start({ BACKUP_EVERY: '40d' })
    expect(backups?.lastVerified()?.at.epochMilliseconds).toBe(hoursAgo(1).epochMilliseconds)
    await pass(40 * 24 * hour - 2 * hour)
    expect(await readdir(folder)).toHaveLength(1)
    // Since the backup, not since the start of the server.
    await pass(hour)
    await log.next(/^backup: /)
    expect(await readdir(folder)).toHaveLength(2)
  })

  test('keep the newest BACKUP_KEEP and remove no other files', async () => {
    const names = [30, 60, 90].map((hours) => backupName(hoursAgo(hours)))
    const foreign = ['notes.txt', 'daymark.sqlite', 'daymark-2020-01-01T000000Z.sqlite.gz']
    for (const name of names) await copyFile(backup, join(folder, name))
    for (const name of [`${names[1]}.unverified`, `${names[1]}.unverified-journal`, ...foreign])
      await writeFile(join(folder, name), '')
    const { backups, log } = await start({ BACKUP_KEEP: '2' })
    await log.next(/^backup: /)
    await pass(0)
    const taken = backups?.lastVerified()?.file.slice(folder.length + 1)
    expect((await readdir(folder)).sort()).toEqual([taken, names[0], ...foreign].sort())
  })

  test('try again after a failure, which is logged and has no other effect', async () => {
    await rm(folder, { recursive: true })
    await writeFile(folder, 'in the way')
    const { app, backups, log } = await start()
    expect(await log.next(/^backup/)).toMatch(/^backup failed: The folder .* cannot be written to: /)
    expect(backups?.lastVerified()).toBeUndefined()
    expect((await app.inject('/')).statusCode).toBe(200)

    await rm(folder)
    await pass(300_000)
    await log.next(/^backup: /)
    expect(backups?.lastVerified()?.file).toContain(folder)
  })

  describe('in a folder with files that only have the name of a backup', () => {
    const impossible = ['daymark-2026-02-30T030405Z.sqlite', 'daymark-2026-11-21T250000Z.sqlite']
    const future = 'daymark-2099-01-01T000000Z.sqlite'
    const [empty = '', half = '', text = ''] = [20, 21, 22].map((hours) => backupName(hoursAgo(hours)))

    test('keep the backup that was just made, do not change the other files and log that once', async () => {
      for (const name of [...impossible, future]) await copyFile(backup, join(folder, name))
      const leftover = `${impossible[0]}.unverified`
      await writeFile(join(folder, leftover), '')
      await writeFile(join(folder, empty), '')
      await writeFile(join(folder, half), (await readFile(backup)).subarray(0, 8192))
      await writeFile(join(folder, text), 'not a database'.repeat(1000))
      const reasons: Record<string, string> = { [future]: 'the date in its name is in the future' }
      for (const name of [...impossible, leftover]) reasons[name] = 'the date in its name does not exist'
      for (const name of [empty, half, text]) reasons[name] = 'it is not a complete SQLite database'
      const strange = Object.keys(reasons)

      const { backups, log } = await start({ BACKUP_KEEP: '1' })
      await log.next(/^backup: .* verified/)
      await pass(24 * hour)
      const newest = (await log.next(/^backup: .* verified/)).split(': ')[1] as string
      await pass(0)
      expect((await readdir(folder)).sort()).toEqual([basename(newest), ...strange].sort())
      expect(backups?.lastVerified()?.file).toBe(newest)
      const lines = strange.map(
        (name) => `backup: ${JSON.stringify(join(folder, name))} is ignored: ${reasons[name]}`,
      )
      expect(log.all.filter((line) => /is ignored/.test(line)).sort()).toEqual(lines.sort())
    })

    test('are reported by /readyz with the time of the last verified one, which none of these files is', async () => {
      expect(await reported()).toBe(null)
      await place(hoursAgo(30))
      for (const name of [...impossible, future]) await copyFile(backup, join(folder, name))
      await writeFile(join(folder, empty), '')
      expect(await reported()).toBe(hoursAgo(30).toString())
    })
  })

  test('are not taken while the file is not the database that the server has opened', async () => {
    fault = { code: 'database-lost', report: 'daymark.sqlite was replaced while the server was running' }
    const { log } = await start()
    expect(await log.next(/^backup/)).toBe(`backup failed: ${fault.report}`)
    expect(await readdir(folder)).toEqual([])
    fault = undefined
    await pass(300_000)
    await log.next(/^backup: /)
  })

  test('end with the server', async () => {
    const { app, log } = await start()
    await log.next(/^backup: /)
    fault = { code: 'database-lost', report: 'a backup began' }
    await pass(24 * hour)
    await log.next(/^backup failed: a backup began/)
    await app.close()
    await vi.advanceTimersByTimeAsync(48 * hour)
    expect(log.all.filter((line) => /^backup failed/.test(line))).toHaveLength(1)
  })

  test('require BACKUP_DIR, which is rejected with PostgreSQL', async () => {
    await expect(start({ BACKUP_DIR: '' })).resolves.toMatchObject({ backups: undefined })
    await expect(start({ DATABASE_URL: 'postgres://localhost/daymark' })).rejects.toThrow(
      'BACKUP_DIR requires a file: database; use pg_dump to back up PostgreSQL',
    )
  })

  /** The last verified backup that a server reports. */
  async function reported() {
    const { app } = await serverForTest(url, { BACKUP_DIR: folder })
    return (await app.inject('/readyz')).json().lastVerifiedBackup
  }

  async function start(environment: Record<string, string> = {}) {
    const config = readConfig({ DATABASE_URL: url.href, BACKUP_DIR: folder, ...environment })
    const log = collectLines()
    const app = fastify({ logger: { stream: log } })
    const backups = config.backup && scheduleBackups(app, config.databaseUrl, config.backup, () => fault)
    app.get('/', () => ({}))
    onTestFinished(() => app.close())
    await app.listen({ port: 0 })
    if (backups) await pass(0)
    return { app, backups, log }
  }

  const place = (at: Temporal.Instant) => copyFile(backup, join(folder, backupName(at)))
})

/** Advances the clock, once a timer waits for it. */
async function pass(milliseconds: number) {
  while (vi.getTimerCount() === 0) await new Promise(setImmediate)
  await vi.advanceTimersByTimeAsync(milliseconds)
}

const hoursAgo = (hours: number) =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor((Date.now() - hours * hour) / 1000) * 1000)

/** A stream for a logger, and a way to wait for its lines. */
function collectLines() {
  const all: string[] = []
  let next = 0
  let heard = () => {}
  return {
    all,
    write(line: string) {
      all.push(JSON.parse(line).msg)
      heard()
    },
    async next(pattern: RegExp): Promise<string> {
      for (;;) {
        while (next < all.length) if (pattern.test(all[next++] ?? '')) return all[next - 1] as string
        await new Promise<void>((resolve) => {
          heard = resolve
        })
      }
    },
  }
}
