import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { htmlFile, notePaths, pages } from '#contract/pages.ts'
import type { Config } from '../config.ts'
import { HttpError } from '../errors.ts'
import { sendProblem } from './problems.ts'

const built = join(import.meta.dirname, '../../dist/web')
/** The previous build, if an upgrade has kept it: pages that were open meanwhile load its files until they are reloaded. */
const previous = join(import.meta.dirname, '../../dist/previous-web')

/** Serves the built page. Unknown paths get the 404 page; unknown paths below /api/ get a problem document. */
export async function pageRoutes(app: FastifyInstance, { offline }: Config) {
  const isBuilt = existsSync(built)
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?')
    const isPage = isBuilt && ['GET', 'HEAD'].includes(request.method) && !request.url.startsWith('/api/')
    // The reply is not returned: Fastify would wait for it a second time and log a listener leak warning.
    if (isPage) reply.code(404).sendFile('404.html')
    else sendProblem(reply, new HttpError('no-such-path', { method: request.method, path }))
  })
  if (!isBuilt) return app.log.warn('the page is not built, so only the API is served: npm run build')

  await app.register(fastifyStatic, {
    root: existsSync(previous) ? [built, previous] : built,
    index: false,
    preCompressed: true,
    cacheControl: false,
    // A page has one URL, without .html.
    allowedPath: (path, _root, request) => !path.endsWith('.html') || request.routeOptions.url !== '/*',
    setHeaders: (reply, path) => {
      // The contents of a file with a hashed name never change. All other files are revalidated on each use.
      reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })
  for (const path of Object.keys(pages)) {
    app.get(path, { schema: { hide: true } }, (_request, reply) => reply.sendFile(htmlFile(path)))
  }
  for (const path of notePaths) {
    app.get(path, { schema: { hide: true } }, (_request, reply) => reply.sendFile(htmlFile('/dashboard')))
  }
  if (!offline)
    app.get('/service-worker.js', { schema: { hide: true } }, (_request, reply) =>
      reply.sendFile('removing-worker.js'),
    )
}
