import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import type { Change, ItemSet } from './entry.ts'
import { randomId } from './entry.ts'
import { how, numRuns, of, status } from './testing/random-steps.ts'
import { catchUp, idle, type SteppedTab, serve } from './testing/stepped-browser.ts'

const { open } = serve()

/** What the model keeps of a task: of the times, only whether there is one. */
type Shown = Partial<Record<'title' | 'dueDate' | 'priority' | 'done' | 'deleted' | 'body', unknown>>

const shownOf = (tasks: Iterable<Task>) =>
  Object.fromEntries(
    [...tasks].flatMap(({ _id, title, dueDate, priority, doneAt, deletedAt, body }) =>
      deletedAt === null
        ? [[_id, { title, dueDate, priority, body, done: doneAt !== null, deleted: false } as Shown]]
        : [],
    ),
  )

type State = Record<string, Shown>

/** What a person expects of one browser: each change and each undo takes effect once, in the order of the presses. */
class Model {
  state: State
  /** The states around the steps of the tab that has made the last change. */
  steps: Record<'undo' | 'redo', State[]> = { undo: [], redo: [] }
  last: SteppedTab | undefined

  constructor(state: State) {
    this.state = state
  }

  change(tab: SteppedTab, changes: readonly Change[]) {
    if (tab !== this.last) this.steps = { undo: [], redo: [] }
    this.last = tab
    const before = this.state
    for (const change of changes) {
      const { [change.item]: task = { body: '', done: false, deleted: false } } = this.state
      const ticked = 'check' in change && { body: `- [${change.check.checked ? 'x' : ' '}] line` }
      this.state = { ...this.state, [change.item]: { ...task, ...('set' in change ? change.set : ticked) } }
    }
    if (!isDeepStrictEqual(before, this.state)) this.steps = { undo: [...this.steps.undo, before], redo: [] }
  }

  reverse(direction: 'undo' | 'redo') {
    this.steps[direction === 'undo' ? 'redo' : 'undo'].push(this.state)
    this.state = this.steps[direction].pop() ?? this.state
  }

  shown = () => Object.fromEntries(Object.entries(this.state).filter(([, { deleted }]) => !deleted))
}

const tab = fc.nat(1)
const press = fc.oneof(
  of('add', 2, { tab }),
  of('set', 6, {
    tab,
    names: fc.oneof(fc.tuple(fc.nat(5)), fc.uniqueArray(fc.nat(3), { minLength: 2 })),
    set: fc.constantFrom<ItemSet>(
      ...['2026-11-26', '2026-11-27', '2026-11-28'].map((dueDate) => ({ dueDate })),
      ...[{ priority: 'high' } as const, { done: true }, { done: false }, { deleted: true }],
    ),
    isBased: fc.boolean(),
  }),
  of('tick', 2, { tab, names: fc.tuple(fc.nat(5)) }),
  of('reverse', 4, { direction: fc.constantFrom('undo' as const, 'undo', 'redo') }),
  of('network', 16, { tab, how, status }),
  of('stream', 3, { tab }),
  of('wake', 5, { tab }),
)
type Press = typeof press extends fc.Arbitrary<infer Each> ? Each : never

/** The changes of a step to the tasks with these ids, as a tab shows them. A new one gets an id. */
function changesOf(step: Press, at: SteppedTab, ids: string[]): Change[] {
  if (step.kind === 'add') {
    const title = randomId()
    ids.push(title)
    return [{ item: title, set: { title, dueDate: '2026-11-25', priority: 'low' } }]
  }
  const tasks = 'names' in step ? step.names.flatMap((index) => at.task(ids[index] ?? '') ?? []) : []
  return tasks.flatMap(({ _id: item, version, body, deletedAt }): Change[] => {
    if (deletedAt !== null) return []
    if (step.kind === 'set') return [{ item, set: step.set, ...(step.isBased && { base: version }) }]
    return body ? [{ item, check: { line: 0, text: 'line', checked: !body.includes('[x]') } }] : []
  })
}

test('When answers are lost, each change of a browser and each undo takes effect once and in order, every tab shows that until the next press, and no clash is told', async () => {
  const scripts = fc.array(press, { maxLength: 60, size: 'max' })
  await fc.assert(
    fc.asyncProperty(scripts, fc.constantFrom(1, 2), async (script, count) => {
      const { account, ids, tabs } = await open(['a', 'b', 'c'], { tabs: count, isPrompt: true })
      const model = new Model(shownOf(await account.tasks()))
      expect(Object.keys(model.state)).toEqual(ids.toSorted())
      const wrong: unknown[] = []
      let isPressed = true
      for (const { store } of tabs)
        store.subscribe(() => {
          const shown = shownOf(store.tasks())
          if (!isPressed && !isDeepStrictEqual(shown, model.shown())) wrong.push(shown)
        })
      for (const step of script) {
        const at = ('tab' in step ? tabs[step.tab % count] : model.last) as SteppedTab
        const changes = changesOf(step, at, ids)
        isPressed = changes.length > 0 || step.kind === 'reverse'
        if (changes.length > 0) {
          const typed = step.kind === 'add' ? { typed: { text: 'typed', dismissed: [] } } : {}
          const made = changes.map((change) => ({ ...change, verb: 'edit' as const }))
          at.engine.changes.attempt(made, typed).then((notStored) => wrong.push(...notStored))
          model.change(at, changes)
        }
        if (step.kind === 'reverse' && model.steps[step.direction].length > 0) {
          at.engine.undo.reverse(step.direction)
          model.reverse(step.direction)
        }
        if (step.kind === 'network') await at.step(step.how, 0, step.status)
        if (step.kind === 'stream') at.stream()
        if (step.kind === 'wake') at.wake()
        await idle()
        for (const { store } of tabs) expect(shownOf(store.tasks())).toEqual(model.shown())
      }
      await catchUp(tabs)
      expect(wrong).toEqual([])
      for (const { engine, journal, stop } of tabs) {
        stop()
        expect(journal.entries()).toEqual([])
        expect(engine.history.getState().notice?.about).not.toBe('failed')
      }
      expect(shownOf(await account.tasks())).toEqual(model.shown())
      expect(await account.repeated()).toEqual([])
    }),
    { numRuns },
  )
})
