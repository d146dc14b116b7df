import { buildApp } from './app.ts'
import { readConfig } from './config.ts'
import { openDatabase } from './database/database.ts'
import { ConfigError } from './environment.ts'
import { refuseUnfinishedMove } from './moving/unfinished-move.ts'
import { freeStartupGarbage } from './startup-garbage.ts'
import { gracefulStop } from './stop.ts'

try {
  const config = readConfig(process.env)
  const database = await openDatabase(config.databaseUrl).catch(cannotOpen)
  await refuseUnfinishedMove(database)
  const app = await buildApp({ config, database })
  const stop = gracefulStop(app)
  await app.listen({ host: config.host, port: config.port })
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, async () => {
      // A second Ctrl-C is somebody who does not want to wait.
      if (stopping) process.exit(1)
      stopping = true
      await stop()
      await database.close()
      // What close() has left open for a reason is not closed by Node either.
      process.exit()
    })
  }
  // Printed last: from this line on a signal stops the server in order.
  console.log(`Daymark is at ${addressOf(config.host, app.server.address() as { port: number })}`)
  freeStartupGarbage()
} catch (error) {
  console.error(oneLine(error))
  // Connections that were opened before it failed would keep the process for seconds.
  process.exit(1)
}

function addressOf(host: string, { port }: { port: number }) {
  const name = host === '127.0.0.1' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

function cannotOpen(error: Error & { errors?: Error[] }): never {
  const [reason] = (error.message || error.errors?.[0]?.message || String(error)).split('\n')
  throw new ConfigError(`DATABASE_URL leads to no database that can be used: ${reason}`, { cause: error })
}

/** What the person who starts the server can mend, in one line; anything else in full. */
function oneLine(error: unknown) {
  if (error instanceof ConfigError) return error.message
  const { code, syscall, port, address, hostname } = error as ListenError
  if (code === 'EADDRINUSE') return `PORT ${port} is in use by another program; choose another one`
  if (code === 'EACCES' && syscall === 'listen')
    return `PORT ${port} is not for this account; choose one from 1024 on`
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    return `HOST must be a name or address of this machine, not "${address ?? hostname}"`
  }
  return error
}

type ListenError = NodeJS.ErrnoException & { port?: number; address?: string; hostname?: string }
