import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { describeCalls } from './described-calls.ts'

/** Serves `openapi.json` (OpenAPI 3.1), generated from the schemas of all routes that are registered later. */
export async function openApi(app: FastifyInstance) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Daymark',
        version: '1',
        description:
          'Tasks: add, edit, delete, and list them. Notes: write, list, and read earlier versions. Unknown fields are ignored where ' +
          'a schema allows them, and in parameters; the keys `__proto__` and `constructor.prototype` are rejected. ' +
          'Every text is valid Unicode: U+0000 and unpaired surrogates are rejected.',
      },
      servers: [{ url: '/', description: 'The server that this document is from' }],
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      },
    },
    transformObject: (generated) =>
      'openapiObject' in generated ? describeCalls(generated.openapiObject) : {},
  })
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
}
