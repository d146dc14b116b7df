import type { InjectOptions } from 'fastify'
import { onTestFinished } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { LoadLimits } from '../limits/load-limits.ts'
import { newId } from '../new-id.ts'
import { startSession } from '../sessions/session-queries.ts'
import { hashOf, newToken } from '../sessions/token.ts'
import { rememberSite } from '../users/guesses.ts'
import { hashPassword } from '../users/password.ts'
import { register } from '../users/registration.ts'
import { type Engine, onEveryEngine } from './engines.ts'
import { inject } from './inject.ts'
import { forAll, forEach } from './made-for-tests.ts'
import { openWhere } from './open-test-database.ts'
import { type Call, clientOf, contentsOf } from './test-client.ts'

export type TestServer = Awaited<ReturnType<typeof startTestServer>>
export type TestUser = Awaited<ReturnType<TestServer['newUser']>>

const [password, address] = ['a long enough password', '127.0.0.1']
/** Variables of a server that others reach without a proxy, which parses received data in turns. */
export const publicHost = { HOST: '0.0.0.0' }

/** All accounts have one hash, because a new one takes longer than most tests. */
let passwordHash: Promise<string> | undefined

/** Starts the production app without a network, on an empty database or the database of a URL, with these variables and limits. */
export async function startTestServer(
  where: Engine | URL,
  environment: Record<string, string> = {},
  limits: Partial<LoadLimits> = {},
) {
  const { url, database } = await openWhere(where, environment)
  const config = readConfig({ LOG_LEVEL: 'silent', ...environment })
  const app = await buildApp({ config, database }, limits)

  const call: Call = async (endpoint, request = {}) => {
    const [method, path] = endpoint.split(' ') as [NonNullable<InjectOptions['method']>, string]
    const { headers, payload } = contentsOf(request)
    const answer = await inject(app, {
      ...{ method, url: apiBase + path, headers },
      ...(payload !== undefined && { payload }),
      ...(request.from && { remoteAddress: request.from }),
    })
    const isJson = answer.body !== '' && String(answer.headers['content-type']).includes('json')
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      json: isJson ? JSON.parse(answer.body) : {},
    }
  }

  /** A client with a token of this server. */
  const as = (token: string) => clientOf(call, token)

  /** Inserts a new account, as a registration does. Its `call` sends the account's token. */
  const newUser = async () => {
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
    /** Logs in again. */
    const newSession = async (headers: Record<string, string> = {}) =>
      as((await call('POST /user/login', { body: { email, password }, headers })).json.token)
    return { ...as(token), id, email, password, newSession }
  }

  return {
    ...{ app, url, database, call, as, newUser },
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

type More = [environment?: Record<string, string>, limits?: Partial<LoadLimits>]

/** A server for the tests of the surrounding block, perhaps on the database of another one. */
export const serverForAll = (where: Engine | URL | { url: URL }, ...more: More): TestServer =>
  forAll(() => startTestServer(typeof where === 'object' && 'url' in where ? where.url : where, ...more))

/** Another server for each test of the surrounding block. */
export const serverForEach = (...start: Parameters<typeof startTestServer>): TestServer =>
  forEach(() => startTestServer(...start))

/** Runs the tests on a server for each engine. A block that reads `user` gets another one for each of its tests. */
export function onEveryServer(
  title: string,
  tests: (each: { engine: Engine; server: TestServer; user: TestUser }) => void,
) {
  onEveryEngine(title, (engine) => {
    const server = serverForAll(engine)
    tests({
      engine,
      server,
      get user() {
        return userForEach(server)
      },
    })
  })
}

/** A user for the tests of the surrounding block. */
export const userForAll = (server: TestServer): TestUser => forAll(() => server.newUser())

/** Another user for each test of the surrounding block. */
export const userForEach = (server: TestServer): TestUser => forEach(() => server.newUser())
