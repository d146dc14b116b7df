import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { install, pinnedNode, root } from './install.mjs'

install()

const server = spawn(pinnedNode, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const page = spawn(pinnedNode, ['node_modules/vite/bin/vite.js', '--clearScreen', 'false'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, DAYMARK_SERVER: `http://127.0.0.1:${process.env.PORT || 3000}` },
})

// Vite prints the address to open. The server's address is hidden, because its page has no hot reload.
createInterface({ input: server.stdout }).on('line', (line) => line.includes('http://') || console.log(line))

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stopBoth)
server.on('exit', stopBoth)
page.on('exit', stopBoth)

function stopBoth() {
  server.kill()
  page.kill()
}
