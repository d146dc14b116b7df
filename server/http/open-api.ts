import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'

/** Serves `openapi.json` (OpenAPI 3.1), generated from the schemas of all routes that are registered later. */
export async function openApi(app: FastifyInstance) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Daymark',
        version: '1',
        description:
          'Tasks: add, edit, delete, and list them. Notes: write, list, and read earlier versions.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
  })
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}
