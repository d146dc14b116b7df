import { randomUUID } from 'node:crypto'
import type { Account } from '#contract/account.ts'
import type { ChangeResults, Delta } from '#contract/changes.ts'
import type { ImportOutcomes, ImportRoom } from '#contract/imports.ts'
import type { Note, NoteSummary, NoteVersion, NoteVersions } from '#contract/notes.ts'
import type { Problem } from '#contract/problem.ts'
import type { Reminders } from '#contract/reminders.ts'
import type { Found } from '#contract/search.ts'
import type { Settings } from '#contract/settings.ts'
import type { Task, TaskValues } from '#contract/tasks.ts'
import type { Token } from '#contract/tokens.ts'
import { newId } from '../new-id.ts'

/** The result of a change of any kind of item. */
type AnyResult = {
  kind: ChangeResults['items'][number]['kind']
  outcome: ChangeResults['items'][number]['outcome']
  seq?: number
  item: Task & Note & NoteSummary
}

/** The union of all response bodies: each test knows which fields its calls return. */
type Json = Problem &
  Required<Omit<Delta, 'items'>> &
  Found & {
    items: AnyResult[]
    token: string
    valid: boolean
    task: Task
    note: Note
    version: NoteVersion
    versions: NoteVersions['versions']
    account: Account
    lists: Task[]
    nextCursor: string
    settings: Settings
    id: string
    tokens: Token[]
    export: { id: string; key: string; percent: number }
    reminders: Reminders
    room: ImportRoom
    tasks: ImportOutcomes['tasks']
    removed: number
    kept: number
    next: number | null
  }

export type Answer = { status: number; headers: Record<string, unknown>; text: string; json: Json }

/** A body that is a string or a Buffer is sent as it is. Any other body is sent as JSON. `from`: the address of the client. */
export type Request = { token?: string; body?: unknown; headers?: Record<string, string>; from?: string }

/** The headers and the payload of a request, whichever way it is sent. */
export function contentsOf({ token, body, headers }: Request) {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  return {
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    payload: body === undefined ? undefined : isRaw ? body : JSON.stringify(body),
  }
}

/** Sends an API request, for example `call('POST /user/login', { body })`. JSON responses are parsed. */
export type Call = (endpoint: string, request?: Request) => Promise<Answer>

/** A task as a client adds it. */
export const aTask = { title: 'Water the plants', dueDate: '2026-11-21', priority: 'low' } as const

/** A client with a token, and its usual calls. */
export function clientOf(callServer: Call, token: string) {
  const call: Call = (endpoint, request) => callServer(endpoint, { token, ...request })

  /** Calls `POST /changes` with these changes, each under a new mutation id unless it has one. */
  const send = (...changes: object[]) =>
    call('POST /changes', {
      body: { changes: changes.map((each) => ({ mutation: randomUUID(), ...each })) },
    })
  return {
    ...{ token, call, send },
    async addTask(values: Partial<TaskValues> = {}): Promise<Task> {
      return (await call('POST /list/addTask', { body: { ...aTask, ...values } })).json.task
    },
    /** The ids of notes of one millisecond are in the order of their creation, as those of tasks are. */
    async addNote(text: string, more: object = {}, item: string = newId()): Promise<Note> {
      return (await send({ item, kind: 'note', base: 0, set: { text, ...more } })).json.items[0]?.item as Note
    },
    /** Changes one item, and returns the result. */
    change: async (item: string, set: object, more: object = {}) =>
      (await send({ item, set, ...more })).json.items[0] as AnyResult,
    editTask: (id: string | undefined, body: object) => call(`PUT /list/updateTask/${id}`, { body }),
    deleteTask: (id: string | undefined) => call(`DELETE /list/deleteTask/${id}`),
    undo: (seq: number | undefined) => call(`POST /changes/${seq}/undo`),
    purge: (...items: string[]) => call('POST /items/purge', { body: { items } }),
    /** Reads a list to its end, in pages. */
    async pages(list: string): Promise<Json[]> {
      const found: Json[] = []
      for (
        let cursor = '';
        ;
        cursor = `${list.includes('?') ? '&' : '?'}cursor=${found.at(-1)?.nextCursor}`
      ) {
        found.push((await call(list + cursor)).json)
        if (found.at(-1)?.nextCursor === undefined) return found
      }
    },
    /** The open tasks, the newest first. */
    tasks: async () => (await call('GET /list/getLatestTasks')).json.lists,
    task: async (id: string | undefined) => (await call(`GET /tasks/${id}`)).json.task,
    note: async (id: string | undefined) => (await call(`GET /notes/${id}`)).json.note,
    changes: async (since?: string) =>
      (await call(since === undefined ? 'GET /changes' : `GET /changes?since=${since}`)).json,
    setSettings: (settings: object) => call('PATCH /settings', { body: { settings } }),
    newToken: async (scope: string, more: object = {}) =>
      (await call('POST /tokens', { body: { name: 'Laptop script', scope, ...more } })).json,
    isValid: async () => (await call('GET /user/validate')).status === 200,
  }
}

export type TestClient = ReturnType<typeof clientOf>
