import { randomUUID } from 'node:crypto'
import type { KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import { pageBytes } from '#contract/limits.ts'
import { listNames, lists } from '#contract/lists.ts'
import { newId } from '../new-id.ts'
import { listQuery } from '../tasks/task-queries.ts'
import { many } from '../testing/many-clients.ts'
import { insertRows, setAccount } from '../testing/stored-rows.ts'
import { onEveryServer, type TestUser } from '../testing/test-server.ts'

/** Each as long as a body may be, and as the longest that is read with its page. */
const bodies = {
  'of emoji': '😀'.repeat(100_000),
  'of control characters, six bytes each as JSON': '\u0001'.repeat(100_000),
  'of control characters, short': '\u0001'.repeat(4096),
  'of every kind': undefined,
}

onEveryServer('a list of long tasks', ({ server }) => {
  /** A user with 12 tasks, of that body or of each in turn, in every list but one. */
  async function userWith(body: string | undefined): Promise<TestUser> {
    const user = await server.newUser()
    const all = ['', ...Object.values(bodies).filter((each) => each !== undefined)]
    const tasks = many(12, (index) => ({
      ...{ user_id: user.id, id: newId(), version: 0, title: `${index}`, created_at: index },
      ...{ due_date: `2020-01-${10 + (index % 7)}`, priority: 1 + (index % 2) },
      body: body ?? all[index % all.length],
    }))
    for (const task of tasks) await insertRows(server.database, 'tasks', [task])
    // As after a change through the server: no response that was cached before is valid.
    await setAccount(server.database, user.id, { head: randomUUID() })
    return user
  }

  describe.each(Object.entries(bodies))('with bodies %s', (_, body) => {
    test('comes in answers of at most a page of bytes, each task once and in order, to the end', async () => {
      const user = await userWith(body)
      for (const name of listNames) {
        const titles: string[] = []
        for (let cursor = ''; ; ) {
          const path = `${lists[name].endpoint}?limit=200${cursor && `&cursor=${cursor}`}`
          const { status, text, json } = await user.call(path)
          expect(status).toBe(200)
          // The tasks themselves, and around them the list and its cursor.
          expect(Buffer.byteLength(text)).toBeLessThan(pageBytes + 1024)
          expect(json.lists.length > 0 || titles.length === 0).toBe(true)
          titles.push(...json.lists.map(({ title }) => title))
          if (!('nextCursor' in json)) break
          cursor = json.nextCursor
        }
        const none = { upcoming: 0, someday: 0, low: 0, done: 0, deleted: 0 }
        const expected = { today: 12, latest: 12, high: 6, medium: 6, ...none }[name]
        expect(titles).toHaveLength(expected)
        expect(new Set(titles).size).toBe(expected)
        if (name === 'latest') expect(titles).toEqual(titles.toSorted((a, b) => Number(b) - Number(a)))
      }
    })

    test('costs the database no more than about a page', async () => {
      const { id } = await userWith(body)
      let read = 0
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          read += Buffer.byteLength(result.rows.map((row) => row.lines ?? '').join())
          return result
        },
      }
      const { read: db } = server.database
      const latest = listQuery(lists.latest)
      await latest(db.withPlugin(plugin), id, { today: '', limit: 200 })
      // Control characters are counted as JSON here, six bytes each, and by the engine as one.
      expect(read).toBeLessThan(body?.startsWith('😀') ? 1.1 * pageBytes : 8 * pageBytes)
    })
  })
})
