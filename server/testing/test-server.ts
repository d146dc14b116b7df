import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import type { Account } from '#contract/account.ts'
import type { ChangeResults, Delta } from '#contract/changes.ts'
import type { ImportOutcomes, ImportRoom } from '#contract/imports.ts'
import { apiBase } from '#contract/limits.ts'
import type { Note, NoteSummary, NoteVersion, NoteVersions } from '#contract/notes.ts'
import type { Problem } from '#contract/problem.ts'
import type { Reminders } from '#contract/reminders.ts'
import type { Found } from '#contract/search.ts'
import type { Settings } from '#contract/settings.ts'
import type { Task, TaskValues } from '#contract/tasks.ts'
import type { Token } from '#contract/tokens.ts'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { LoadLimits } from '../limits/load-limits.ts'
import { newId } from '../new-id.ts'
import { startSession } from '../sessions/session-queries.ts'
import { hashOf, newToken } from '../sessions/token.ts'
import { rememberSite } from '../users/guesses.ts'
import { hashPassword } from '../users/password.ts'
import { register } from '../users/registration.ts'
import type { Engine } from './engines.ts'
import { inject } from './inject.ts'
import { openWhere } from './open-test-database.ts'

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

export type TestServer = {
  app: FastifyInstance
  /** Of its database. */
  url: URL
  database: Database
  /** Sends an API request, for example `call('POST /user/login', { body })`. JSON responses are parsed. */
  call(endpoint: string, request?: Request): Promise<Answer>
  /** Inserts a new account, as a registration does. Its `call` sends the account's token. */
  newUser(): Promise<TestUser>
  close(): Promise<void>
}

export type TestUser = {
  id: string
  email: string
  password: string
  token: string
  call: TestServer['call']
  addTask(values?: Partial<TaskValues>): Promise<Task>
}

const [password, address] = ['a long enough password', '127.0.0.1']
/** Variables of a server that others reach without a proxy, which parses received data in turns. */
export const publicHost = { HOST: '0.0.0.0' }

/** All accounts have one hash, because a new one takes longer than most tests. */
let passwordHash: Promise<string> | undefined

/** A body that is a string or a Buffer is sent as it is. Any other body is sent as JSON. `from`: the address of the client. */
type Request = { token?: string; body?: unknown; headers?: Record<string, string>; from?: string }

/** Starts the production app without a network, on an empty database or the database of a URL, with these variables and limits. */
export async function startTestServer(
  where: Engine | URL,
  environment: Record<string, string> = {},
  limits: Partial<LoadLimits> = {},
): Promise<TestServer> {
  const { url, database } = await openWhere(where, environment)
  const config = readConfig({ LOG_LEVEL: 'silent', ...environment })
  const app = await buildApp({ config, database }, limits)

  const call: TestServer['call'] = async (endpoint, { token, body, headers, from } = {}) => {
    const [method, path] = endpoint.split(' ') as [NonNullable<InjectOptions['method']>, string]
    const answer = await inject(app, {
      method,
      url: apiBase + path,
      ...(from && { remoteAddress: from }),
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: isRaw(body) ? body : JSON.stringify(body) }),
    })
    const isJson = answer.body !== '' && String(answer.headers['content-type']).includes('json')
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      json: isJson ? JSON.parse(answer.body) : {},
    }
  }

  const newUser: TestServer['newUser'] = async () => {
    const email = `${newId()}@example.org`
    passwordHash ??= hashPassword(password, address)
    const user = { name: 'Ada', email, passwordHash: await passwordHash }
    const { id, token } = await database.write(async (db) => {
      const now = Date.now()
      const id = await register(db, user, config, now)
      const token = newToken(id)
      await startSession(db, { userId: id, tokenHash: hashOf(token) }, { name: '', now })
      await rememberSite(db, { account: id, address }, now)
      return { id, token }
    })
    const own: TestServer['call'] = (endpoint, request) => call(endpoint, { token, ...request })
    return {
      ...{ id, email, password, token },
      call: own,
      async addTask(values) {
        const body = { title: 'Water the plants', dueDate: '2026-11-21', priority: 'low', ...values }
        return (await own('POST /list/addTask', { body })).json.task
      },
    }
  }

  return {
    app,
    url,
    database,
    call,
    newUser,
    async close() {
      await app.close()
      await database.close()
    },
  }
}

/** A server for the test that runs. */
export async function serverForTest(...start: Parameters<typeof startTestServer>): Promise<TestServer> {
  const server = await startTestServer(...start)
  onTestFinished(server.close)
  return server
}

/**
 * A server for the tests of the surrounding block, perhaps on the database of another one. It has its functions when the first
 * test begins.
 */
export function serverForAll(
  where: Engine | URL | { url: URL },
  ...more: [Record<string, string>?, Partial<LoadLimits>?]
): TestServer {
  const server = {} as TestServer
  beforeAll(async () => {
    const on = typeof where === 'object' && 'url' in where ? where.url : where
    Object.assign(server, await startTestServer(on, ...more))
  })
  afterAll(() => server.close())
  return server
}

/** A user for the tests of the surrounding block. */
export function userForAll(server: TestServer): TestUser {
  const user = {} as TestUser
  beforeAll(async () => void Object.assign(user, await server.newUser()))
  return user
}

/** Another user for each test of the surrounding block. */
export function userForEach(server: TestServer): TestUser {
  const user = {} as TestUser
  beforeEach(async () => void Object.assign(user, await server.newUser()))
  return user
}

const isRaw = (body: unknown) => typeof body === 'string' || Buffer.isBuffer(body)
