import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareInList, isListed, listNames, lists, priorities } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { kinds } from '../app.ts'
import { change } from '../changes/change.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { addUser, databaseForAll } from '../testing/open-test-database.ts'
import { rounds } from '../testing/rounds.ts'
import { listQuery } from './task-queries.ts'
import { insertTask } from './task-writes.ts'

const quota = 2 ** 30

// Few days and instants, so that many tasks have the same ones and the remaining sort keys decide.
const anyDrafts = fc.array(
  fc.record({
    title: fc.constant('Any'),
    dueDate: fc.constantFrom('2026-11-19', '2026-11-20', '2026-11-21', '2026-12-01', null),
    dueTime: fc.constantFrom('09:00', '17:30', null),
    priority: fc.constantFrom(...priorities),
    placeInFile: fc.constantFrom(0, 0, 1, 2),
    doneAt: fc.constantFrom(undefined, undefined, 1_795_000_000_001, 1_795_000_000_002),
    deletedAt: fc.constantFrom(undefined, undefined, 1_795_000_000_003),
  }),
  { minLength: 1, maxLength: 40 },
)
const drafts = anyDrafts.map((all) =>
  all.map((draft) => (draft.dueDate === null ? { ...draft, dueTime: null } : draft)),
)

onEveryEngine('a list in the page and on the server', (engine) => {
  const database = databaseForAll(engine)

  test.each(listNames)('%s contains the same tasks in the same order', async (name) => {
    const list = lists[name]
    const findTasks = listQuery(list)
    await fc.assert(
      fc.asyncProperty(drafts, fc.constantFrom('2026-11-20', '2026-11-21'), async (added, today) => {
        const owner = await database.write((db) => addUser(db))
        const author = { userId: owner, device: '', by: '' }
        const tasks = await database.write(async (db) => {
          const stored = []
          for (const { doneAt, deletedAt, placeInFile, ...draft } of added) {
            let { task } = await insertTask(db, author, draft, { quota, now: Date.now() })
            const imported = db.updateTable('tasks').set({ place_in_file: placeInFile })
            await imported.where('id', '=', task._id).execute()
            task = { ...task, placeInFile }
            const set = async (field: 'done' | 'deleted', now: number | undefined) => {
              if (now === undefined) return
              const changes = [{ kind: 'task', item: task._id, set: { [field]: true } }]
              const { items } = await change(db, author, changes, { kinds, quota, now })
              task = (items[0]?.item as Task) ?? task
            }
            await set('done', doneAt)
            await set('deleted', deletedAt)
            stored.push(task)
          }
          return stored
        })
        const inPage = tasks
          .filter((task) => isListed(list, task, today))
          .sort((one, other) => compareInList(list, one, other))
        const onServer = await findTasks(database.read, owner, { today, limit: 200 })
        expect(onServer.tasks.map((task) => JSON.parse(task))).toEqual(inPage)
      }),
      { numRuns: rounds(50) },
    )
  })
})
