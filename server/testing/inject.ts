import type { FastifyInstance, InjectOptions } from 'fastify'

/** Sends a request without a network. A response without an end is read up to its first event, then disconnected. */
export async function inject(app: FastifyInstance, request: InjectOptions) {
  if (!String(request.url).includes('/changes/stream')) return await app.inject(request)
  const answer = await app.inject({ ...request, payloadAsStream: true })
  const { statusCode, headers } = answer
  let body = ''
  for await (const bytes of answer.stream()) {
    body += bytes
    if (headers['content-type'] === 'text/event-stream') break
  }
  if (!answer.raw.res.writableEnded) answer.raw.res.destroy()
  return { statusCode, headers, body }
}
