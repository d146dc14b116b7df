import type { Delta } from '#contract/changes.ts'
import type { Task } from '#contract/tasks.ts'
import { taskWith } from './task-with.ts'

type LogRow = { seq: number; head: string; item?: string; isPurge?: boolean }
type State = { tasks: Map<string, Task>; log: LogRow[] }

const entriesOf = (tasks: Task[]) => tasks.map((item) => ({ kind: 'task' as const, item }))

let heads = 0
const newHead = () => `h${heads++}`

/** A server with the contract's log of changes: first reads by id in pages, deltas, purges, and restores of a backup. */
export class LogServer {
  state: State = { tasks: new Map(), log: [{ seq: 0, head: newHead() }] }

  get last() {
    return this.state.log.at(-1) as LogRow
  }
  get cursor() {
    return `${this.last.seq}.${this.last.head}`
  }

  append(item: string, isPurge = false) {
    const entry = { seq: this.last.seq + 1, head: newHead(), item, isPurge }
    this.state.log.push(entry)
    return entry.seq
  }

  write(id: string, set: Partial<Task>) {
    const before = this.cursor
    const version = this.append(id)
    const task = this.state.tasks.get(id) ?? taskWith({ _id: id, title: '', createdAt: id })
    this.state.tasks.set(id, { ...task, ...set, version })
    return { tasks: [this.state.tasks.get(id) as Task], before, cursor: this.cursor }
  }

  purge(id: string) {
    if (this.state.tasks.delete(id)) this.append(id, true)
  }

  list() {
    const tasks = [...this.state.tasks.values()].filter(({ deletedAt, doneAt }) => !deletedAt && !doneAt)
    return { tasks, cursor: this.cursor }
  }

  changes(since: string | undefined, limit: number): Delta {
    const [seq = this.cursor.split('.')[0], head = this.last.head, seenSeq, seenHead, after] = (
      since ?? ''
    ).split('.', 5) as (string | undefined)[] as string[]
    const start =
      since === undefined ? { seq: this.last.seq, head: this.last.head } : { seq: Number(seq), head }
    const isKnown = (at: { seq: number; head: string | undefined }) =>
      this.state.log.some((entry) => entry.seq === at.seq && entry.head === at.head)
    if (!isKnown(start) || (seenSeq && !isKnown({ seq: Number(seenSeq), head: seenHead })))
      return { reset: true }
    if (since === undefined || after !== undefined) {
      const all = [...this.state.tasks.values()].filter(({ _id }) => _id > (after ?? ''))
      const tasks = all.sort((one, other) => (one._id < other._id ? -1 : 1)).slice(0, limit)
      if (tasks.length < all.length)
        return {
          items: entriesOf(tasks),
          cursor: `${start.seq}.${start.head}.${this.cursor}.${tasks.at(-1)?._id}`,
          more: true,
        }
      return { items: entriesOf(tasks), ...this.end(start) }
    }
    const log = this.state.log.filter((entry) => entry.seq > start.seq).slice(0, limit)
    const upTo = log.at(-1) ?? start
    const tasks = [...this.state.tasks.values()].filter(
      ({ version }) => version > start.seq && version <= upTo.seq,
    )
    const purged = log.flatMap(({ item, isPurge }) => (item !== undefined && isPurge ? [item] : []))
    return { items: entriesOf(tasks), purged, ...this.end(upTo) }
  }

  end(at: { seq: number; head: string | undefined }) {
    const more = at.seq < this.last.seq
    return { cursor: `${at.seq}.${at.head}${more ? `.${this.cursor}` : ''}`, more }
  }
}

export const settled = () => new Promise((done) => setImmediate(done))
