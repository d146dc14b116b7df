import { buildApp } from './app.ts'
import { readConfig } from './config.ts'
import { openDatabase } from './database/database.ts'
import { ConfigError } from './environment.ts'
import { gracefulStop } from './stop.ts'

try {
  const config = readConfig(process.env)
  const database = await openDatabase(config.databaseUrl)
  const app = await buildApp({ config, database })
  const stop = gracefulStop(app)
  await app.listen({ host: config.host, port: config.port })
  console.log(`Daymark is at ${addressOf(config.host, app.server.address() as { port: number })}`)

  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, async () => {
      // A second Ctrl-C is somebody who does not want to wait.
      if (stopping) process.exit(1)
      stopping = true
      await stop()
      await database.close()
    })
  }
} catch (error) {
  console.error(oneLine(error))
  process.exitCode = 1
}

function addressOf(host: string, { port }: { port: number }) {
  const name = host === '127.0.0.1' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** What the person who starts the server can mend, in one line; anything else in full. */
function oneLine(error: unknown) {
  if (error instanceof ConfigError) return error.message
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `PORT ${process.env.PORT || 3000} is in use by another program; choose another one`
  return error
}
