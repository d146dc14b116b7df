import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { root } from './install.mjs'

// The headless shell is the same browser without the windows and menus, which take as long to start as a test takes.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

/** Returns the path of a working Chromium: an installed one, or else Debian's package, or else Playwright's download. */
export async function findOrInstallChromium() {
  return (await installed()) ?? (await fromDebian()) ?? (await fromPlaywright())
}

async function installed() {
  const { chromium } = await import('@playwright/test')
  const onPath = process.env.PATH.split(delimiter).flatMap((folder) =>
    names.map((name) => join(folder, name)),
  )
  const onMac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  return [process.env.CHROMIUM_PATH, ...onPath, onMac, chromium.executablePath()].find(starts)
}

function fromDebian() {
  if (process.getuid?.() !== 0 || !succeeds('apt-get', ['--version'])) return
  console.log('Installing Chromium from Debian …')
  const quietly = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  succeeds('apt-get', ['update'], quietly)
  succeeds('apt-get', ['install', '--yes', '--no-install-recommends', 'chromium-headless-shell'], quietly)
  return installed()
}

function fromPlaywright() {
  console.log('Downloading Chromium …')
  succeeds(join(root, 'node_modules/.bin/playwright'), ['install', 'chromium'])
  return installed()
}

/** An installed browser may not start: Ubuntu's chromium-browser, for example, is a stub that needs a snap. */
function starts(path) {
  return path !== undefined && succeeds(path, ['--version'])
}

function succeeds(command, args, options) {
  return spawnSync(command, args, { cwd: root, stdio: 'ignore', ...options }).status === 0
}
