import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { api, type Call, type Endpoint } from '#contract/api.ts'
import type { Calls } from '#contract/calls.ts'
import { requestBytes } from '#contract/limits.ts'
import { Problem } from '#contract/problem.ts'
import { HttpError } from '../errors.ts'
import { type Schema, unknownFields } from './validation.ts'

type Parts<E extends Endpoint> = {
  Params: Call<E>['params']
  Querystring: Call<E>['query']
  Headers: Call<E>['headers']
  Body: Call<E>['body']
}

type RequestFor<E extends Endpoint> = FastifyRequest<Parts<E>> &
  ((typeof api)[E]['access'] extends 'none' ? unknown : Required<Pick<FastifyRequest, 'session'>>)

/** The response body, or the reply if the handler has sent it itself. */
type Answer<E extends Endpoint> = Call<E>['response'] | FastifyReply

/** What handlers read of a request, besides headers, which they read by name. */
const parts = ['body', 'query', 'params'] as const

/** Answers the methods that the contract does not name for its paths with 405. Must follow all calls of `route`. */
export function rejectOtherMethods(app: FastifyInstance) {
  for (const url of new Set(Object.keys(api).map((endpoint) => endpoint.replace(/^\w+ /, '')))) {
    const isAllowed = (method: string) =>
      app.hasRoute({ method: method as HTTPMethods, url: app.prefix + url })
    const allowed = app.supportedMethods.filter(isAllowed).join(', ')
    app.route({
      method: app.supportedMethods.filter((method) => !isAllowed(method)) as HTTPMethods[],
      url,
      schema: { hide: true },
      onRequest: ({ method }, _reply, done) =>
        done(new HttpError('method-not-allowed', { method, allowed }, { headers: { allow: allowed } })),
      handler: () => undefined,
    })
  }
}

const failure = { content: { 'application/problem+json': { schema: Problem } } }

/**
 * Registers the handler of one API call. Method, path, access and schemas come from the contract. The caller is authenticated
 * before the body is read. The handler gets only the properties that the schemas name, so that a client cannot set what only
 * the server knows. Other properties are ignored, or are a 400 in the body of another program than the page.
 */
export function route<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (request: RequestFor<E>, reply: FastifyReply) => Answer<E> | Promise<Answer<E>>,
) {
  const [method, url] = endpoint.split(' ') as [HTTPMethods, string]
  const call: Calls[string] = api[endpoint]
  const { access, unauthorized, query, response, mediaType, ignoresUnknown, ...rest } = call
  const { problems: _, fieldCodes: __, ...schemas } = rest
  const authenticate = access !== 'none' && app.authenticate(access, unauthorized)
  app.route<Parts<E>>({
    ...(authenticate && {
      onRequest: authenticate,
      ...(method !== 'GET' && { preValidation: authenticate }),
    }),
    // An answer may take seconds, as that of a search. A write is not refused after its commit.
    ...(authenticate &&
      method === 'GET' && {
        async preSerialization(request, reply) {
          if (reply.statusCode < 400) await authenticate.call(app, request, reply)
        },
      }),
    bodyLimit: requestBytes[access === 'none' || access === 'account' ? 'credentials' : 'default'],
    method,
    url,
    // A response to HEAD would not end either.
    ...(mediaType && { exposeHeadRoute: false, config: { isStream: true } }),
    schema: {
      ...schemas,
      ...(query && { querystring: query }),
      response: {
        200: mediaType ? { content: { [mediaType]: { schema: response } } } : response,
        '4xx': failure,
        '5xx': failure,
      },
    },
    preHandler(request, _reply, done) {
      // A page can be of another build, and says so. Another program that misspells a field would wait for its effect.
      if (!ignoresUnknown && request.headers['page-version'] === undefined) {
        const error = unknownFields(call.body, request.body)
        if (error) return done(error)
      }
      for (const part of parts) Object.assign(request, { [part]: named(call[part], request[part]) })
      done()
    },
    // Only calls without a token have no session.
    handler: (request, reply) => handler(request as RequestFor<E>, reply),
  })
}

/** A valid value, with those of its properties that the schema names. */
function named(schema: Schema | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const { properties, items } = schema
  if (items) return (value as unknown[]).map((item) => named(items, item))
  if (!properties) return value
  const names = Object.keys(properties).filter((name) => Object.hasOwn(value as object, name))
  return Object.fromEntries(
    names.map((name) => [name, named(properties[name], (value as Record<string, unknown>)[name])]),
  )
}
