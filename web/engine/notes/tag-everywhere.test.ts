import { expect, onTestFinished, test } from 'vitest'
import { createEngine } from '../engine.ts'
import { taskWith } from '../store/testing/task-with.ts'
import { testNeeds } from '../testing/test-needs.ts'
import { prioritise } from '../verbs/plan.ts'
import { changesEverywhere } from './tag-everywhere.ts'

const task = taskWith({ title: 'Sow #home' })
const times = {
  createdAt: '2026-11-21T12:00:00.000Z',
  changedAt: '2026-11-21T12:00:00.000Z',
  deletedAt: null,
}
const note = { _id: 'n', version: 7, text: 'Rest #home', pinned: false, ...times }
const summary = { _id: 'n', version: 7, title: 'Rest #home', snippet: '', pinned: false, ...times }

/** An engine with a task and a server with a note. `onSearch`: called while the server searches. */
function start(onSearch: (engine: ReturnType<typeof createEngine>) => void = () => {}) {
  const answered: string[] = []
  const engine = createEngine(testNeeds({ fetch: answer }))
  engine.store.put({ tasks: [task] })
  async function answer(url: string, { body }: { body?: string } = {}) {
    const { pathname } = new URL(url, 'http://localhost')
    // Later than a call that is made at the same time.
    if (body) await new Promise(setImmediate)
    answered.push(pathname.replace('/api/v1', ''))
    if (body) {
      const [change] = JSON.parse(body).changes
      const item = { ...task, ...change.set, version: 2 }
      return Response.json({
        items: [{ kind: 'task', outcome: 'applied', seq: 2, item }],
        cursor: '2.x',
      })
    }
    if (!pathname.endsWith('/search')) return Response.json({ note })
    onSearch(engine)
    return Response.json({
      ...{ tasks: [], notes: [{ ...summary, excerpt: '' }] },
      ...{ similar: [], more: false, complete: true },
    })
  }
  onTestFinished(engine.journal.start())
  return { engine, answered }
}

test('A task that another device changes while the notes are read keeps its newer text', async () => {
  const { engine } = start(({ store }) =>
    store.put({ tasks: [{ ...task, version: 2, title: 'Sow the peas #home' }] }),
  )
  expect(await changesEverywhere(engine, '#home', '#garden')).toMatchObject([
    { item: task._id, base: 2, set: { title: 'Sow the peas #garden' } },
    { item: 'n', base: 7, set: { text: 'Rest #garden' } },
  ])
})

test('The notes are read after the changes that were made before', async () => {
  const { engine, answered } = start()
  engine.changes.make([prioritise.make(task, 'high')])
  await changesEverywhere(engine, '#home', undefined)
  expect(answered).toEqual(['/changes', '/search', '/notes/n'])
})
