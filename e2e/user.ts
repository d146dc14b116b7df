import type { Call } from '#contract/api.ts'
import { apiBase } from '#contract/limits.ts'
import type { Task, TaskDraft } from '#contract/tasks.ts'
import { day } from './days.ts'

export type User = {
  name: string
  email: string
  password: string
  token: string
  /** Adds a task through the API; what is not given is a low one, due today. */
  add: (task: Partial<TaskDraft>) => Promise<Task>
}

/** Values for the signup form of an account that does not exist yet. */
export function newcomer() {
  return { name: 'Ada', email: `${crypto.randomUUID()}@example.org`, password: 'correct horse battery' }
}

/** A user of their own for one test, so that tests share nothing. */
export async function register(server: string): Promise<User> {
  const person = newcomer()
  const { token } = await post<Call<'POST /user/register'>['response']>('/user/register', person)
  return {
    ...person,
    token,
    async add(task) {
      const draft = { title: 'Water the plants', body: '', dueDate: day(0), priority: 'low', ...task }
      return (await post<Call<'POST /list/addTask'>['response']>('/list/addTask', draft, token)).task
    },
  }

  async function post<Answer>(path: string, body: unknown, token?: string): Promise<Answer> {
    const response = await fetch(server + apiBase + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    if (response.status !== 200) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Answer
  }
}
