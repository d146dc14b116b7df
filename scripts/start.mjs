import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from './build.mjs'
import { install, pinnedNode, root, stop } from './install.mjs'

install()
if (!buildIfStale()) stop('The page could not be built, see above.')

// The compile cache halves the time from start to the first response.
const env = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), ...process.env }
const server = spawn(pinnedNode, ['server/main.ts'], { cwd: root, stdio: 'inherit', env })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // A terminal sends Ctrl-C to the server too. A second SIGINT would make the server exit without a graceful stop.
  process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || server.kill(signal))
}
server.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
