import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** Runs a program, passes signals on to it, and ends this process as it ends. */
export function runToEnd(program, args, options) {
  const child = spawn(program, args, { stdio: 'inherit', ...options })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal sends Ctrl-C to the program too. A second SIGINT would make the server exit without a graceful stop.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal))
  }
  child.on('error', ({ message }) => {
    console.error(message)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
