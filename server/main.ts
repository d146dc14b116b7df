import { buildApp } from './app.ts'
import { readConfig } from './config.ts'
import { openDatabase } from './database/database.ts'
import { ConfigError } from './environment.ts'

try {
  const config = readConfig(process.env)
  const database = await openDatabase(config.databaseUrl)
  const app = await buildApp({ database })
  await app.listen({ host: config.host, port: config.port })
  const { port } = app.server.address() as { port: number }
  const host = config.host === '127.0.0.1' ? 'localhost' : config.host
  console.log(`Daymark is at http://${host.includes(':') ? `[${host}]` : host}:${port}`)

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      await app.close()
      await database.close()
    })
  }
} catch (error) {
  console.error(oneLine(error))
  process.exitCode = 1
}

/** What the person who starts the server can mend, in one line; anything else in full. */
function oneLine(error: unknown) {
  if (error instanceof ConfigError) return error.message
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `PORT ${process.env.PORT || 3000} is in use by another program; choose another one`
  return error
}
