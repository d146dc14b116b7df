import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { buildIfStale } from './build.mjs'
import { install, pinnedNode, root, stop } from './install.mjs'

install()
if (!buildIfStale()) stop('The page could not be built, see above.')

const server = spawn(pinnedNode, ['server/main.ts'], { cwd: root, stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // A terminal has already sent Ctrl-C to the server as well; a second one would cut its orderly stop short.
  process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || server.kill(signal))
}
server.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
