import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * Runs a program, passes signals on to it, and ends this process as it ends. If the whole process group gets a signal, the
 * program gets it twice: `server/stop-signals.ts` counts both as one stop.
 */
export function runToEnd(program, args, options) {
  const child = spawn(program, args, { stdio: 'inherit', ...options })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal))
  }
  child.on('error', ({ message }) => {
    console.error(message)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
