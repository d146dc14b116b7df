import type { Call } from '#contract/api.ts'
import { apiBase } from '#contract/limits.ts'
import type { Task, TaskValues } from '#contract/tasks.ts'
import { day } from './days.ts'

type List = 'getLatestTasks' | 'getDoneTasks'

export type User = {
  name: string
  email: string
  password: string
  token: string
  /** Adds a task through the API; by default a low one, due today. */
  add: (task: Partial<TaskValues>) => Promise<Task>
  /** Changes a task through the API, as another device does. */
  edit: (task: Task, change: Partial<TaskValues>) => Promise<Task>
  /** Changes fields of a task through `POST /changes`, as another device does. */
  change: (task: Task, set: object) => Promise<void>
  remove: (task: Task) => Promise<void>
  /** The tasks of the first page of a list, as the API returns them. */
  list: (name: List) => Promise<Task[]>
  /** Their titles, by default those of Latest. */
  titles: (name?: List) => Promise<string[]>
  /** Makes a call, with the token of the user. */
  call: <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>
}

/** Values for the signup form of an account that does not exist yet. */
export function newcomer() {
  return { name: 'Ada', email: `${crypto.randomUUID()}@example.org`, password: 'correct horse battery' }
}

/** A user for one test alone, so that tests share nothing. */
export async function register(server: string): Promise<User> {
  const person = newcomer()
  const { token } = await caller(server)<Call<'POST /user/register'>['response']>(
    'POST',
    '/user/register',
    person,
  )
  const call = caller(server, token)
  const list = async (name: List) => (await call<{ lists: Task[] }>('GET', `/list/${name}`)).lists
  return {
    ...person,
    token,
    call,
    list,
    titles: async (name = 'getLatestTasks') => (await list(name)).map(({ title }) => title),
    async add(task) {
      const draft = { title: 'Water the plants', body: '', dueDate: day(0), priority: 'low', ...task }
      return (await call<Call<'POST /list/addTask'>['response']>('POST', '/list/addTask', draft)).task
    },
    async edit({ _id, title, body, dueDate, priority }, change) {
      const draft = { title, body, dueDate, priority, ...change }
      return (await call<{ task: Task }>('PUT', `/list/updateTask/${_id}`, draft)).task
    },
    async change({ _id: item }, set) {
      await call('POST', '/changes', { changes: [{ mutation: crypto.randomUUID(), item, set }] })
    },
    async remove({ _id }) {
      await call('DELETE', `/list/deleteTask/${_id}`)
    },
  }
}

/** Makes calls with a token, and returns their answers. */
export const caller = (server: string, token?: string) =>
  async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(server + apiBase + path, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Answer
  }
