import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Plain JavaScript without packages: this runs on whatever Node the machine has, before anything is installed.

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The Node this project is pinned to, from the optional dependency for this platform. */
export const pinnedNode = join(root, 'node_modules/.bin/node')

/** Installs the packages of package-lock.json in node_modules; changes nothing if they are installed. */
export function install() {
  if (missing().length === 0 && existsSync(pinnedNode)) return
  console.log('Installing packages …')
  const { status } = spawnSync(
    'npm',
    ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, PATH: pathWithoutThisProject() },
    },
  )
  if (status !== 0) stop('The packages could not be installed: npm ci failed, see above.')
  // npm leaves out an optional package that it cannot download or whose hash is wrong, and still succeeds.
  const [absent] = missing()
  if (absent) {
    stop(
      `npm left out ${absent}: it could not be downloaded, or is not what package-lock.json has the hash of. \`npm ci --loglevel=verbose\` says which.`,
    )
  }
  linkRuntime()
  if (!existsSync(pinnedNode))
    stop(
      `There is no Node 26 package for ${process.platform} ${process.arch}: use Linux or macOS, x64 or arm64.`,
    )
  const start = spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' })
  if (start.status !== 0) {
    stop(
      `Node 26 does not start here: ${start.stderr.trim()}. On Debian and Ubuntu: apt-get install libatomic1`,
    )
  }
}

/** npm 10 was seen to install the runtime without linking it: npm reports no failure to link an optional package either. */
function linkRuntime() {
  const runtime = Object.entries(packages('package-lock.json')).find(
    ([, wanted]) => wanted.bin?.node && isForThisMachine(wanted),
  )
  if (!runtime || existsSync(pinnedNode)) return
  const [path, { bin }] = runtime
  symlinkSync(join(root, path, bin.node), pinnedNode)
}

/** The packages that belong on this machine and are not there in the locked version. */
function missing() {
  const present = packages('node_modules/.package-lock.json')
  return Object.entries(packages('package-lock.json'))
    .filter(([path, wanted]) => path !== '' && present[path]?.version !== wanted.version)
    .filter(([path, wanted]) => path in present || !wanted.optional || isForThisMachine(wanted))
    .map(([path]) => path)
}

/** Optional packages are for one platform each, or come with one that is. The pinned Node needs glibc. */
function isForThisMachine({ os, cpu, libc = 'glibc' }) {
  const has = (list, value) => [list].flat().includes(value)
  return has(os, process.platform) && has(cpu, process.arch) && has(libc, 'glibc')
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
