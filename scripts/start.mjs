import { join } from 'node:path'
import { buildIfStale } from './build.mjs'
import { install, pinnedNode, root, stop } from './install.mjs'
import { runToEnd } from './run-to-end.mjs'

install()
if (!buildIfStale()) stop('The page could not be built, see above.')

// The compile cache halves the time from start to the first response.
const env = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), ...process.env }
runToEnd(pinnedNode, ['server/main.ts', ...process.argv.slice(2)], { cwd: root, env })
