import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { noteLength } from '#contract/limits.ts'
import { kinds } from '../app.ts'
import { change } from '../changes/change.ts'
import { addUser } from '../testing/open-test-database.ts'
import { rounds } from '../testing/rounds.ts'
import { accountOf } from '../testing/stored-rows.ts'
import { onEveryServer } from '../testing/test-server.ts'

onEveryServer('saving notes', ({ server }) => {
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
    const devices = await Promise.all(Array.from({ length: 10 }, () => user.newSession()))
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
})
