import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { root } from './install.mjs'

/** Returns the paths that programs with these names would have. */
export const onPath = (names) =>
  process.env.PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))

/** If this system is Debian and the user is root, installs the packages. Returns whether they were installed. */
export function installDebian(name, packages) {
  if (process.getuid?.() !== 0 || !succeeds('apt-get', ['--version'])) return false
  console.log(`Installing ${name} from Debian …`)
  const quietly = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  succeeds('apt-get', ['update'], quietly)
  return succeeds('apt-get', ['install', '--yes', '--no-install-recommends', ...packages], quietly)
}

/** An installed browser may not start: Ubuntu's chromium-browser, for example, is a stub that needs a snap. */
export const starts = (path) => path !== undefined && succeeds(path, ['--version'])

export const succeeds = (command, args, options) =>
  spawnSync(command, args, { cwd: root, stdio: 'ignore', ...options }).status === 0

const firefoxOnMac = '/Applications/Firefox.app/Contents/MacOS/firefox'

export const findFirefox = () =>
  [process.env.FIREFOX_PATH, ...onPath(['firefox-esr', 'firefox']), firefoxOnMac].find(starts)
