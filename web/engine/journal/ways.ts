import type { Call } from '#contract/api.ts'
import { defaultsOf, labelledValues } from '#contract/fields.ts'
import { changesPerCall } from '#contract/limits.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task, TaskValues } from '#contract/tasks.ts'
import { problemFrom } from '../../api/client.ts'
import { baseOf, type Item, type Values, type Way } from '../entry.ts'
import type { Needs } from '../needs.ts'
import { isGone, NotConfirmedError, problem, throwIfUnsupported } from '../store/change-errors.ts'
import { itemsIn } from '../store/known-items.ts'
import { seqOf } from '../store/replication.ts'
import { completeTask, type SpecifiedTask } from '../store/specified-task.ts'
import { type Fetching, reloadLists } from '../store/task-lists.ts'
import { createAwaited, type SendAlone } from './awaited.ts'
import type { Result } from './entries.ts'
import { type Request, requestOf } from './requests.ts'

export function createWays(fetching: Fetching) {
  const { needs, store } = fetching
  const { call } = needs

  async function send(requests: Request[]): Promise<Result[][]> {
    const [first] = requests
    if (first && 'undo' in first) return [await undo(needs, first.mutation, first.undo)]
    const changes = requests.flatMap((request) => ('set' in request ? [request] : []))
    try {
      return (await postChanges(needs, changes)).map((result) => [result])
    } catch (error) {
      const [only] = changes
      const isAddition = only?.base === undefined && only?.set.title !== undefined
      if (!isGone(error) || !isAddition || changes.length > 1) throwIfUnsupported(error)
      // The server has only the specified calls. Its answer may be empty, so the open list is fetched again.
      await postTask(needs, only.mutation, only.set)
      await reloadLists(fetching, timeoutOf(0)).catch(console.error)
      return [[]]
    }
  }

  const purge: SendAlone = async ({ entry: { item, via }, over }) => {
    const gone = new Set<string>()
    const unpins: (() => void)[] = []
    const left = async () =>
      (via === 'purgeEarlier' ? await deletedUpTo(needs, over?.deletedAt) : [item]).filter(
        (id) => !gone.has(id),
      )
    try {
      for (let items = await left(); items.length > 0; items = await left()) {
        unpins.push(store.pin(items))
        confirmed(await call('POST /items/purge', { body: { items } }))
        // An item that was not removed was restored, or removed before.
        for (const id of items) gone.add(id)
      }
      return {}
    } finally {
      // After the dialog has returned the focus to the card: when the card leaves, the focus moves on.
      setTimeout(() => {
        store.remove(gone)
        for (const unpin of unpins) unpin()
      })
    }
  }

  const alone: Record<Way, SendAlone> = {
    async add({ entry, changed }) {
      const { _id, version, createdAt, ...values } = changed as Task
      const task = storedIn((await postTask(needs, entry.mutation, values)).data, values)
      if (task) return { tasks: [task] }
      // Only the list has the added task. Nobody waits for the list.
      reloadLists(fetching).catch(console.error)
      return {}
    },

    async edit({ entry: { item: id }, over, changed, before, after }, isOwn) {
      const put = async (version: number) => {
        const options = { params: { id }, headers: { 'if-match': `"${version}"` } }
        return confirmed(
          await call('PUT /list/updateTask/:id', { ...options, body: changedIn(changed, over) }),
        )
      }
      const [was, edited] = [over as Task, changed as Task]
      // The edited version may have been an unconfirmed change, which has a number now.
      const base = baseOf(store.stored(id), labelledValues(taskFields, was), was.version)
      const { data } = await put(base).catch((error) => {
        const newer = problemFrom(error)?.problem.current
        if (!newer || !isOwn(newer)) throw error
        return put(newer.version)
      })
      const task = storedIn(data, edited) ?? edited
      // Undo and Redo also show what the server has derived from a changed rule.
      const derivedOf = ({ repeatDay, series }: Task) => 'repeat' in after && { repeatDay, series }
      Object.assign(before, derivedOf(was))
      Object.assign(after, derivedOf(task))
      return { tasks: [task] }
    },

    async delete({ entry: { item: id }, over, after }) {
      const { cursor } = confirmed(await call('DELETE /list/deleteTask/:id', { params: { id } }))
      if (cursor !== undefined)
        return { tasks: [{ ...((store.stored(id) ?? over) as Task), ...after, version: seqOf(cursor) }] }
      store.remove([id])
      return {}
    },

    async version({ entry }) {
      const items = await postChanges(needs, [requestOf(entry, store, entry.at) as Change])
      if (!items[0]?.item) throw problem(404, 'It was deleted for good elsewhere.')
      if (items[0].outcome === 'conflict')
        throw problem(409, 'It was changed elsewhere meanwhile. Try again.')
      return itemsIn(items)
    },

    purge,
    purgeEarlier: purge,
  }

  return {
    send,
    awaited: (parts: Omit<Parameters<typeof createAwaited>[0], 'alone' | 'store'>) =>
      createAwaited({ alone, store, ...parts }),
  }
}

function confirmed<Answer extends { status: number }>(answer: Answer): Answer {
  if (answer.status !== 200) throw new NotConfirmedError()
  return answer
}

type Change = Call<'POST /changes'>['body']['changes'][number]

/** Returns the results. With `keepalive`, it also works while the page closes. */
export async function postChanges({ call }: Pick<Needs, 'call'>, changes: Change[], keepalive = false) {
  const signal = timeoutOf(JSON.stringify(changes).length)
  return confirmed(await call('POST /changes', { body: { changes }, keepalive, signal })).data.items
}

/** A lost connection can stay open for minutes. A slow one needs time for long texts. */
const timeoutOf = (length: number) => AbortSignal.timeout(20_000 + length)

async function undo(
  { call }: Needs,
  mutation: string,
  { seq, isGroup = false }: { seq: number; isGroup?: boolean },
) {
  const { data } = confirmed(
    await call('POST /changes/:seq/undo', {
      params: { seq },
      headers: { 'idempotency-key': mutation },
      ...(isGroup && { query: { group: true } }),
      signal: timeoutOf(0),
    }),
  )
  return data.items
}

/** The server adds the task once, however often it gets the same mutation. */
async function postTask({ call }: Needs, mutation: string, values: Values) {
  const headers = { 'idempotency-key': mutation }
  return confirmed(await call('POST /list/addTask', { headers, body: changedIn(values, unnamed) }))
}

const { body: _, ...unnamed } = defaultsOf(taskFields)

/** The values to send. Servers may not know unspecified fields, so these are sent only if they changed. */
const changedIn = (made: Item | Values | undefined, before: object | undefined) =>
  Object.fromEntries(
    Object.entries(labelledValues(taskFields, made as Values)).filter(
      ([name, value]) => !(name in unnamed) || value !== (before as Values)[name],
    ),
  ) as TaskValues

/** The task in the answer to a write, if there is one. The specification names no field of such an answer. */
function storedIn({ task }: { task?: SpecifiedTask | null }, known: Partial<Task>): Task | undefined {
  const stored = typeof task === 'object' && task ? completeTask(task, known) : undefined
  return stored?._id ? stored : undefined
}

const query = { limit: changesPerCall }

async function deletedUpTo({ call }: Needs, time: string | null | undefined): Promise<string[]> {
  const tasks = (await call('GET /list/getDeletedTasks', { query })).data.lists
  const notes = (await call('GET /notes', { query: { ...query, deleted: true } })).data.notes
  const earlier = [...tasks, ...notes].filter(({ deletedAt }) => String(deletedAt) <= String(time))
  return earlier.map(({ _id }) => _id).slice(0, changesPerCall)
}
