import { buildApp } from './app.ts'
import { CommandError, Help, readOptions } from './command.ts'
import { localAddress, readConfig } from './config.ts'
import { rejectUnfinishedCopy } from './copying/unfinished-copy.ts'
import { openConfiguredDatabase } from './database/open-database.ts'
import { ConfigError } from './environment.ts'
import { loadLimits } from './fairness/load-limits.ts'
import { gracefulStop } from './http/stop.ts'
import { freeStartupGarbage } from './startup-garbage.ts'
import { onStopSignal } from './stop-signals.ts'

let stop = async () => {}
onStopSignal(async () => {
  await stop()
  // After a fault, close() leaves the database open on purpose; exit() does not close it either.
  process.exit()
})

try {
  readOptions('start\nStarts the server. Variables configure it: see docs/operating.md.', { options: {} })
  const config = readConfig(process.env)
  const database = await openConfiguredDatabase(config)
  await rejectUnfinishedCopy(database)
  const app = await buildApp({ config, database })
  const stopServing = gracefulStop(app, config.drain)
  await app.listen({ host: config.host, port: config.port, backlog: loadLimits.newConnections })
  stop = async () => {
    await stopServing()
    await database.close()
  }
  const { port } = app.server.address() as { port: number }
  console.log(`Daymark is at ${localAddress(config.host, port)}`)
  freeStartupGarbage()
} catch (error) {
  if (error instanceof Help) {
    console.log(error.message)
    process.exit(0)
  }
  console.error(oneLine(error))
  // Open database connections would keep the process alive for seconds.
  process.exit(1)
}

/** Returns one line for errors that the operator can fix. For other errors, returns the error itself, with its stack. */
function oneLine(error: unknown) {
  if (error instanceof ConfigError || error instanceof CommandError) return error.message
  const { code, syscall, port, address, hostname } = error as ListenError
  if (code === 'EADDRINUSE') return `PORT ${port} is in use by another program; choose another one`
  if (code === 'EACCES' && syscall === 'listen')
    return `PORT ${port}: permission denied; choose a port from 1024 to 65535`
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    return `HOST must be a name or address of this machine, not "${address ?? hostname}"`
  }
  return error
}

type ListenError = NodeJS.ErrnoException & { port?: number; address?: string; hostname?: string }
