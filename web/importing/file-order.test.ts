import { beforeAll, expect, test } from 'vitest'
import { importsPerCall } from '#contract/limits.ts'
import { compareInList, type ListName, listNames, lists, noDay, priorities } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { newId } from '../../server/new-id.ts'
import { onEveryEngine } from '../../server/testing/engines.ts'
import { exportedBy } from '../../server/testing/exported-files.ts'
import { listen } from '../../server/testing/raw-client.ts'
import { serverForAll, type TestUser } from '../../server/testing/test-server.ts'
import type { ImportFile } from '../engine/imported.ts'
import { openBrowser, openTasksIn, until } from '../engine/testing/test-browser.ts'
import { complete } from '../engine/verbs/complete.ts'
import { read } from './readers/read-files.ts'
import { entriesOf, noCorrections } from './sent-import.ts'
import { file } from './testing/import-files.ts'

const [past, future] = ['2020-01-02', '2199-01-02']
const rowsOf = (rowOf: (index: number) => string) => Array.from({ length: 300 }, (_, index) => rowOf(index))

/** Row by row without a day, on a past one and on a future one, and with a high and a low priority in turn. */
const todoist = rowsOf(
  (index) => `task,Row ${index},${index % 2 ? 1 : 4},1,${['', past, future][index % 3]},en`,
)
const fileOf = (rows: string[]) =>
  file('House.csv', ['TYPE,CONTENT,PRIORITY,INDENT,DATE,DATE_LANG', ...rows].join('\n'))

/** Row by row done, and open with and without a day. All were added on one day and done on another one. */
const todoTxt = rowsOf(
  (index) =>
    ['x 2026-02-03 2026-02-02 ', '2026-02-02 ', '2026-02-02 '][index % 3] +
    `Row ${index} +House${index % 3 === 1 ? ` due:${future}` : ''}`,
)

/** Those of a table have no times at all. */
const table = ['Title,Done', ...rowsOf((index) => `Row ${index} #House,${index % 2 ? 'yes' : 'no'}`)]

async function importFile(user: TestUser, ...files: ImportFile[]) {
  const imported = await read(files, { account: user.id, zone: 'UTC', now: new Date() })
  const tasks = entriesOf(imported, noCorrections).map(({ value }) => value)
  const [id, outcomes] = [newId(), [] as string[]]
  for (let from = 0; from < tasks.length; from += importsPerCall) {
    const body = { import: id, tasks: tasks.slice(from, from + importsPerCall) }
    const { status, json } = await user.call('POST /import', { body })
    expect(status).toBe(200)
    outcomes.push(...json.tasks)
  }
  return outcomes
}

/** All pages of a list. */
async function tasksOn(user: TestUser, list: ListName): Promise<Task[]> {
  const tasks: Task[] = []
  for (let cursor = ''; ; ) {
    const { json } = await user.call(`${lists[list].endpoint}?limit=7${cursor && `&cursor=${cursor}`}`)
    tasks.push(...json.lists)
    if (!json.nextCursor) return tasks
    cursor = json.nextCursor
  }
}

/** Without its tags. */
const nameOf = ({ title }: { title: string }) => title.replace(/ #.*/, '')
const namesOf = (tasks: readonly Task[]) => tasks.map(nameOf)

/** The tasks in the order of the file, sorted by what the list sorts by besides places, times of creation and ids. */
function fileOrder(tasks: readonly Task[], order: readonly string[]): Task[] {
  const number = (task: Task) => Number(nameOf(task).slice('Row '.length))
  const keyOf = ({ dueDate, priority }: Task) =>
    (order.includes('dueDate') ? (dueDate ?? noDay) : '') +
    (order.includes('priority') ? priorities.indexOf(priority) : '')
  return tasks
    .toSorted((one, other) => number(one) - number(other))
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : Number(keyOf(one) > keyOf(other))))
}

onEveryEngine('a file of 300 rows', (engine) => {
  const server = serverForAll(engine)
  const others = serverForAll(engine === 'sqlite' ? 'postgres' : 'sqlite')
  let origin: string
  beforeAll(async () => {
    origin = await listen(server.app)
  })

  const ofTodoist = { latest: 300, someday: 100, today: 100, upcoming: 100, high: 150, low: 150 }
  const ofTodoTxt = { latest: 200, someday: 100, upcoming: 100, done: 100 }
  test.each([
    ['Todoist', fileOf(todoist), ofTodoist],
    ['todo.txt', file('todo.txt', todoTxt.join('\n')), ofTodoTxt],
    ['a table', file('House.csv', table.join('\n')), { latest: 150, someday: 150, done: 150 }],
  ])(
    'of %s is in its order in every list of the server and of the page, and by tag',
    async (_, file, some) => {
      const user = await server.newUser()
      expect(await importFile(user, file)).toEqual(Array(300).fill('added'))
      const tab = openBrowser(origin, user).open()
      await until(() => tab.store.isComplete && openTasksIn(tab).length === some.latest)
      const sizes: Partial<Record<ListName, number>> = {}
      for (const name of listNames) {
        const shown = tab.store.list(name, new Date().toISOString().slice(0, 10))
        const expected = namesOf(fileOrder(shown, lists[name].order))
        expect([name, namesOf(shown)]).toEqual([name, expected])
        expect([name, namesOf(await tasksOn(user, name))]).toEqual([name, expected])
        sizes[name] = shown.length
      }
      expect(sizes).toMatchObject(some)
      const tagged = [...tab.tags.of('#House').ids].flatMap((id) => tab.store.task(id) ?? [])
      const open = tagged.filter(({ doneAt, dueDate }) => doneAt === null && dueDate !== null)
      const byTag = open.toSorted((one, other) => compareInList(lists.high, one, other))
      expect(namesOf(byTag)).toEqual(namesOf(fileOrder(open, lists.high.order)))
    },
  )

  test('keeps its order in an export that another account imports, beside tasks that were typed', async () => {
    const [user, copy] = [await server.newUser(), await others.newUser()]
    await importFile(user, fileOf(todoist))
    const typed = ['Typed first', 'Typed second', 'Typed third']
    for (const title of typed) await user.addTask({ title, dueDate: future, priority: 'high' })
    const exported = await exportedBy(server.app, user)
    expect(
      (await importFile(copy, ...[...exported.texts].map(([path, text]) => file(path, text)))).length,
    ).toBe(303)
    for (const name of listNames)
      expect([name, namesOf(await tasksOn(copy, name))]).toEqual([name, namesOf(await tasksOn(user, name))])
    const upcoming = await tasksOn(copy, 'upcoming')
    expect(namesOf(upcoming.slice(0, 3))).toEqual(typed)
    expect(namesOf(upcoming.slice(3))).toEqual(namesOf(fileOrder(upcoming.slice(3), lists.upcoming.order)))
  })

  test('adds only the new row when it is imported again with one, beside its neighbours', async () => {
    const user = await server.newUser()
    await importFile(user, fileOf(todoist))
    const before = namesOf(await tasksOn(user, 'today'))
    const again = todoist.toSpliced(150, 0, `task,New,4,1,${past},en`)
    const outcomes = await importFile(user, fileOf(again))
    expect(outcomes).toEqual(todoist.map(() => 'existing').toSpliced(150, 0, 'added'))
    const after = namesOf(await tasksOn(user, 'today'))
    expect(after.filter((name) => name !== 'New')).toEqual(before)
    expect([after[after.indexOf('New') - 1], after[after.indexOf('New') + 1]]).toEqual(['Row 148', 'Row 154'])
  })

  test('is in its order again when all its repeats were completed, also in a page that shows this first', async () => {
    const user = await server.newUser()
    await importFile(user, fileOf(rowsOf((index) => `task,Row ${index},1,1,every day,en`).slice(0, 20)))
    const tab = openBrowser(origin, user).open()
    await until(() => tab.store.isComplete && openTasksIn(tab).length === 20 && tab.repeats.withDerived)
    const expected = rowsOf((index) => `Row ${index}`).slice(0, 20)
    for (let day = 1; day <= 2; day++) {
      const shown = () => tab.store.list('high', new Date().toISOString().slice(0, 10))
      const attempt = tab.changes.attempt(shown().map((task) => complete.make(task)))
      expect([day, namesOf(shown())]).toEqual([day, expected])
      await attempt
      await until(() => tab.journal.entries().length === 0)
      expect([day, namesOf(await tasksOn(user, 'high'))]).toEqual([day, expected])
      expect(await tasksOn(user, 'done')).toHaveLength(20 * day)
    }
  })
})
