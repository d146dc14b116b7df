import { expect, test, vi } from 'vitest'
import { newId } from './new-id.ts'
import { onEveryEngine } from './testing/engines.ts'
import { allRows } from './testing/rows.ts'
import { rowsChangedByWrites } from './testing/rows-changed.ts'
import { startTestServer } from './testing/test-server.ts'

const day = 86_400_000
const many = 1200

/** Only bounds a failing test; no result depends on it. */
const patience = { timeout: 60_000 }

onEveryEngine('the sweep of expired data', (engine) => {
  test('deletes expired rows after the start, a limited number per transaction, and no others', async () => {
    const server = await startTestServer(engine)
    const user = await server.newUser()
    const { users = [], sessions = [] } = await allRows(server.database)
    const { id: user_id } = JSON.parse(users[0] ?? '')
    const now = Date.now()
    const rows = <T>(make: (index: number) => T) => Array.from({ length: many }, (_, index) => make(index))
    const session = (index: number) => ({
      token_hash: newId(),
      user_id,
      created_at: now - 40 * day,
      last_used_at: now - (index % 2) * 40 * day,
    })
    const attempt = { count: 1, since: now - day, last_at: now - day }
    await server.database.write(async (db) => {
      await db.insertInto('sessions').values(rows(session)).execute()
      await db
        .insertInto('attempts')
        .values(rows(() => ({ ...attempt, key: newId() })))
        .execute()
      await db.insertInto('attempts').values({ key: 'recent', count: 1, since: now, last_at: now }).execute()
    })

    const changed = rowsChangedByWrites(engine, server.database)
    await server.app.listen({ host: '127.0.0.1', port: 0 })
    const attempts = (await allRows(server.database)).attempts?.filter((row) => !row.includes(`${now - day}`))
    await vi.waitFor(
      async () => expect((await allRows(server.database)).attempts).toEqual(attempts),
      patience,
    )
    expect((await allRows(server.database)).sessions).toEqual(sessions)
    expect((await allRows(server.database)).attempts?.join()).toContain('recent')
    expect(Math.max(...changed)).toBe(500)
    expect((await user.call('GET /user/validate')).status).toBe(200)
    await server.close()
  })

  test('does not delay the start', async () => {
    const server = await startTestServer(engine)
    const { write } = server.database
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const held = vi.spyOn(server.database, 'write').mockImplementation(async (work) => {
      await released
      return write(work)
    })
    const address = await server.app.listen({ host: '127.0.0.1', port: 0 })
    await vi.waitFor(() => expect(held).toHaveBeenCalled(), patience)
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    release()
    await server.close()
  })
})
