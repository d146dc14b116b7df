import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Plain JavaScript without packages: this runs on whatever Node the machine has, before anything is installed.

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The Node this project is pinned to, from the dev dependency `node`. */
export const pinnedNode = join(root, 'node_modules/.bin/node')

/** Brings node_modules to what package-lock.json says; touches nothing when it already is. */
export function install() {
  if (isInstalled()) return
  console.log('Installing packages …')
  const { status } = spawnSync(
    'npm',
    ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, PATH: pathWithoutThisProject() },
    },
  )
  if (status !== 0) stop('The packages could not be installed: npm ci failed, see above.')
  if (!existsSync(pinnedNode))
    stop('npm skipped install scripts, which bring Node 26: allow them (ignore-scripts=false).')
  const start = spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' })
  if (start.status !== 0) {
    stop(
      `Node 26 does not start here: ${start.stderr.trim()}. On Debian and Ubuntu: apt-get install libatomic1`,
    )
  }
}

function isInstalled() {
  const wanted = packages('package-lock.json')
  const present = packages('node_modules/.package-lock.json')
  return (
    existsSync(pinnedNode) &&
    Object.entries(wanted).every(([path, { version, optional }]) => {
      // Optional packages are for one platform each; which of them belong here is npm's business.
      return path === '' || (path in present ? present[path].version === version : optional)
    })
  )
}

function packages(lockfile) {
  try {
    return JSON.parse(readFileSync(join(root, lockfile), 'utf8')).packages
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}

/** npm must not run on the very binary that it is about to replace. */
function pathWithoutThisProject() {
  const own = join(root, 'node_modules')
  return process.env.PATH.split(delimiter)
    .filter((entry) => !entry.startsWith(own))
    .join(delimiter)
}

export function stop(line) {
  console.error(line)
  process.exit(1)
}
