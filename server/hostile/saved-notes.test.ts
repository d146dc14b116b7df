import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { noteLength } from '#contract/limits.ts'
import { kinds } from '../app.ts'
import { change } from '../changes/change.ts'
import { migratedDatabase, onPostgres } from '../testing/engines.ts'
import { addUser } from '../testing/open-test-database.ts'
import { rounds } from '../testing/rounds.ts'
import { startServer } from '../testing/server-process.ts'
import { accountOf } from '../testing/stored-rows.ts'
import { onEveryServer, type TestServer } from '../testing/test-server.ts'

onEveryServer('saving notes', ({ engine, server }) => {
  const saves = rounds(1000)
  test(`${saves} times in five minutes keeps one earlier text, and a row of the log for each save`, async () => {
    const owner = await server.database.write((db) => addUser(db))
    const [item, author] = [randomUUID(), { userId: owner, device: 'phone', by: 'Phone' }]
    const texts = Array.from({ length: saves + 1 }, (_, number) => 'é'.repeat(10_000) + number)
    for (const [base, text] of texts.entries()) {
      const now = base === 0 ? 0 : 10 * 60_000 + base
      const mutation = { item, kind: 'note' as const, base, set: { text } }
      const { items } = await server.database.write(
        (db) => change(db, author, [mutation], { kinds, quota: 10_000_000, now }),
        owner,
      )
      expect(items[0]?.outcome).toBe('applied')
    }
    const versions = server.database.read.selectFrom('versions').select('seq').where('user_id', '=', owner)
    expect(await versions.execute()).toEqual([{ seq: 1 }])
    expect((await accountOf(server.database, owner)).stored_bytes).toBeLessThan(
      2 * 20_010 + (saves + 1) * 300,
    )
  })

  test('by ten devices that send a conflicting save again, on top of the newest text, loses no line', async () => {
    const user = await server.newUser()
    const [item, numbers] = [randomUUID(), Array.from({ length: rounds(5) }, (_, number) => number)]
    const start = 'x'.repeat(noteLength.max - 2000)
    await user.send({ item, kind: 'note', base: 0, set: { text: start } })
    const devices = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { json } = await server.call('POST /user/login', { body: user })
        return {
          ...user,
          call: ((endpoint, request) =>
            server.call(endpoint, { token: json.token, ...request })) as TestServer['call'],
        }
      }),
    )
    const write = async (device: (typeof devices)[number], line: string) => {
      let { note } = (await device.call(`GET /notes/${item}`)).json
      for (;;) {
        const set = { text: `${note.text}\n${line}` }
        const [result] = (await device.send({ item, kind: 'note', base: note.version, set })).json.items
        if (result?.outcome !== 'conflict') return
        if (result.item) note = result.item
      }
    }
    await Promise.all(
      devices.map(async (device, index) => {
        for (const number of numbers) await write(device, `${index} ${number}`)
      }),
    )
    const [first, ...lines] = (await user.note(item)).text.split('\n')
    expect(first === start).toBe(true)
    const all = devices.flatMap((_, index) => numbers.map((number) => `${index} ${number}`))
    expect(lines.toSorted()).toEqual(all.toSorted())
  })

  test('is not undone by kill -9: after each start, every note has its last acknowledged text or the one sent after it', async () => {
    const url = await migratedDatabase(engine)
    const body = { name: 'Ada', email: 'ada@example.org', password: 'a long enough password' }
    const notes = Array.from({ length: 4 }, () => ({ item: randomUUID(), version: 0, saved: -1, sent: -1 }))
    let token = ''
    for (let round = 0; round < rounds(8); round++) {
      const killed = await startServer({ DATABASE_URL: url.href })
      if (round === 0) token = (await killed.call('POST /user/register', { body })).json.token
      for (const note of notes) {
        const { json } = await killed.call(`GET /notes/${note.item}`, { token })
        if (note.saved < 0 && !json.note) continue
        expect([note.saved, note.sent].map(textOf)).toContain(json.note.text)
        note.version = json.note.version
        note.saved = Number(json.note.text.split(' ')[0])
      }
      let left = 40
      await Promise.all(
        notes.map(async (note) => {
          for (;;) {
            note.sent = note.saved + 1
            const change = { mutation: randomUUID(), item: note.item, kind: 'note', base: note.version }
            const changes = [{ ...change, set: { text: textOf(note.sent) } }]
            const answer = await killed
              .call('POST /changes', { token, body: { changes } })
              .catch(() => undefined)
            if (!answer) return
            expect(answer.json.items[0]?.outcome).toBe('applied')
            note.version = answer.json.items[0]?.item?.version ?? 0
            note.saved = note.sent
            if (--left <= 0 && notes.every(({ saved }) => saved > 0)) killed.stop('SIGKILL')
          }
        }),
      )
      await killed.stop('SIGKILL')
      if (engine === 'postgres') await connectionsEnd(url)
    }
    for (const { saved } of notes) expect(saved).toBeGreaterThan(0)
  })
})

/** Waits until PostgreSQL has executed the statements of a killed server. */
async function connectionsEnd(url: URL) {
  const others = `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and backend_type = 'client backend'`
  await expect.poll(() => onPostgres(url, others)).toEqual([])
}

/** Longer than one page of the file, and begins with its number. */
const textOf = (number: number) => `${number} ${'é'.repeat(5000)}`
