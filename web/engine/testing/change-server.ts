import { todayHere } from '#contract/days.ts'
import { settled } from '#contract/fields.ts'
import { derivedRepeat, fittingSet, nextId, nextTask } from '#contract/repeats.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import { ProblemError } from '../../api/client.ts'
import { differences } from '../entry.ts'
import type { Result } from '../journal/entries.ts'
import type { Request } from '../journal/requests.ts'
import { LogServer } from '../store/testing/log-server.ts'

export const problem = (status: number) =>
  new ProblemError({ type: 'about:blank', title: '', status, detail: `Status ${status}` })

export const at = '2026-11-21T08:00:00Z'

/** The changes that the server rejects, whenever they are sent. */
const rejectedTitles: Record<string, number> = { invalid: 400, long: 413 }

/** A server that applies each mutation once, merges by field, repeats tasks and undoes changes. */
export class ChangeServer extends LogServer {
  applied = new Map<string, { items: string[]; seq?: number }>()
  /** The mutations that changed something, once for each time. */
  effective: string[] = []
  edits = new Map<
    number,
    { item: string; isNew: boolean; before: Partial<Task>; after: Partial<Task>; group?: string | undefined }
  >()
  /** The tasks as they have ever been. */
  versions: Task[] = []
  /** The tasks that became open again while the next one stayed. */
  reopened = new Set<string>()
  isOffline = false
  /** The answer to send instead. */
  status: number | undefined

  send(requests: readonly Request[]): Result[][] {
    if (this.status !== undefined) throw problem(this.status)
    for (const request of requests) {
      const status = 'set' in request && rejectedTitles[request.set.title ?? '']
      if (status) throw problem(status)
    }
    return requests.map((request) => this.take(request))
  }

  take(request: Request): Result[] {
    const { mutation, item: id, group } = request
    const applied = this.applied.get(mutation)
    if (applied) return applied.items.map((item) => this.result(item, 'duplicate', applied.seq))
    if ('undo' in request) return this.undo(mutation, request.undo)
    const task = this.state.tasks.get(id)
    const { done, deleted, ...same } = task
      ? fittingSet(request.set, { ...task, isDone: task.doneAt !== null })
      : request.set
    const set = {
      ...same,
      ...(done !== undefined && { doneAt: done ? (task?.doneAt ?? at) : null }),
      ...(deleted !== undefined && { deletedAt: deleted ? (task?.deletedAt ?? at) : null }),
    } as Partial<Task>
    if (!task && (request.base !== undefined || set.title === undefined)) return [this.result(id, 'conflict')]
    const all = [...this.edits].filter(([, { item }]) => item === id)
    const isMade = task?.series !== id && task?.series !== null
    const base = request.base === 0 && isMade ? (all[0]?.[0] ?? 0) : request.base
    const later = all.filter(([seq]) => seq > (base ?? Number.POSITIVE_INFINITY))
    const isChanged = (name: string) => later.some(([, { after }]) => name in after)
    if (task && Object.keys(set).some((name) => isChanged(name) && !hasValues(task, pick(set, name))))
      return [this.result(id, 'conflict')]
    const derived = derivedFrom(task, set)
    if (!derived) return [this.result(id, 'conflict')]
    const seq = this.edit(id, derived, group)
    if (done === false || deleted === false) this.reopened.add(id)
    this.follow(task, id, request.day)
    this.apply(mutation, [id], seq)
    return [this.result(id, 'applied', seq)]
  }

  /** Makes the next task of a repeat that was open `before`, or has done so earlier. */
  follow(before: Task | undefined, id: string, day = todayHere()) {
    const task = this.state.tasks.get(id) as Task
    if (!isCompleted(task) || before?.doneAt) return
    const next = nextTask(task, day)
    const its = nextId(String(task.series), id)
    const known = this.state.tasks.get(its)
    const isLost = known?.deletedAt && known.doneAt === null
    if (next && !known) this.edit(its, { ...next, createdAt: task.createdAt })
    else if (next && isLost) this.edit(its, { ...differences(next, known), deletedAt: null })
  }

  /** Removes the next task that the undone completion with this number has made, unless it was changed since. */
  unfollow(before: Task, id: string, seq: number) {
    if (before.doneAt === null || this.state.tasks.get(id)?.doneAt !== null) return
    const next = nextId(String(before.series), id)
    const made = this.edits.get(seq + 1)
    if (this.state.tasks.get(next)?.version !== seq + 1) this.reopened.add(id)
    else if (made?.isNew) this.purge(next)
    else if (made) this.edit(next, made.before)
  }

  undo(mutation: string, { seq, isGroup }: { seq: number; isGroup?: boolean }): Result[] {
    const named = this.edits.get(seq)
    const isUndone = (edit: typeof named) => edit === named || (isGroup && edit?.group === named?.group)
    const numbered = named ? [...this.edits].filter(([, edit]) => isUndone(edit)) : []
    const undone = numbered.map(([, edit]) => edit)
    const tasks = undone.map(({ item }) => this.state.tasks.get(item))
    if (!named || tasks.includes(undefined)) throw problem(404)
    if (undone.some(({ after }, index) => !hasValues(tasks[index] as Task, after))) throw problem(409)
    const items = undone.map(({ item }) => item)
    const group = isGroup ? mutation : undefined
    const seqs = undone.map(({ item, before }, index) => {
      const seq = this.edit(item, before, group)
      this.follow(tasks[index], item)
      return seq
    })
    for (const [index, item] of items.entries()) {
      this.unfollow(tasks[index] as Task, item, numbered[index]?.[0] as number)
    }
    this.apply(mutation, items, seqs.at(-1))
    return items.map((item, index) => this.result(item, 'applied', seqs[index]))
  }

  apply(mutation: string, items: string[], seq: number | undefined) {
    if (seq !== undefined) this.effective.push(mutation)
    this.applied.set(mutation, { items, ...(seq !== undefined && { seq }) })
  }

  edit(id: string, set: Partial<Task>, group?: string): number | undefined {
    const task = this.state.tasks.get(id)
    if (task && hasValues(task, set)) return
    const before = task
      ? Object.fromEntries(Object.keys(set).map((name) => [name, task[name as keyof Task]]))
      : { deletedAt: at }
    this.write(id, set)
    const { seq } = this.last
    this.edits.set(seq, {
      item: id,
      isNew: !task,
      before,
      after: task ? set : { ...set, deletedAt: null },
      group,
    })
    this.versions.push(this.state.tasks.get(id) as Task)
    return seq
  }

  result(id: string, outcome: Result['outcome'], seq?: number): Result {
    const item = this.state.tasks.get(id) ?? null
    return { kind: 'task', outcome, item, ...(seq !== undefined && { seq }) } as Result
  }
}

const pick = (values: object, name: string) => ({ [name]: (values as Record<string, unknown>)[name] })
const hasValues = (task: Task, values: object) =>
  Object.entries(values).every(([name, value]) => task[name as keyof Task] === value)

/** A completed task that another one follows. */
const isCompleted = ({ doneAt, deletedAt, repeat }: Task) =>
  doneAt !== null && deletedAt === null && repeat !== null

/** New values of a task with those that follow from them, as far as they differ. Undefined if its day is not on the grid. */
function derivedFrom(task: Task | undefined, set: Partial<Task>): Partial<Task> | undefined {
  if (!task) return set
  const after = settled(taskFields, { ...task, ...set }) as Task
  const derived = derivedRepeat(after, task)
  return typeof derived === 'object' ? differences({ ...after, ...derived }, task) : undefined
}
